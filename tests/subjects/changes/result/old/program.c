// A function returns something else.
#include <stdio.h>
#include <stdlib.h>
static int sign(int a) {
    if (a < 0)
        return -1;
    return a > 0;
}
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = sign(x);
    printf("%d\n", x);
    return argc > 2;
}
