// One of many entries of a table is another one.
#include <stdio.h>
#include <stdlib.h>
static const short table[128] = {[3] = 7, [90] = 18, [127] = 9}; //~ value
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x += table[x & 127];
    printf("%d\n", x);
    return argc > 2;
}
