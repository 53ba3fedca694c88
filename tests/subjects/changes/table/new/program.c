// An entry of a table is another one.
#include <stdio.h>
#include <stdlib.h>
static const int table[4] = {1, 2, 3, 5}; //~ value
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x += table[x & 3];
    printf("%d\n", x);
    return argc > 2;
}
