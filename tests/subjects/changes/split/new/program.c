// A part of a function becomes a function of its own.
#include <stdio.h>
#include <stdlib.h>
static int prepared(int x) {
    int y = x * 2; //~ added
    y += 7; //~ added
    return y; //~ added
}
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int y = prepared(x); //~ changed
    if (y > 20)
        y = 20;
    x = y;
    printf("%d\n", x);
    return argc > 2;
}
