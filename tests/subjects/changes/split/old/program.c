// A part of a function becomes a function of its own.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int y = x * 2;
    y += 7; //~ removed
    if (y > 20)
        y = 20;
    x = y;
    printf("%d\n", x);
    return argc > 2;
}
