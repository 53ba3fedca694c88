// A table of functions has another one.
#include <stdio.h>
#include <stdlib.h>
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int (*const table[])(int) = {one, two};
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x += table[x & 1](x);
    printf("%d\n", x);
    return argc > 2;
}
