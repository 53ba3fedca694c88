// A variable has another type: what computes with it changes.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    unsigned char y = x;
    x = y + 1;
    printf("%d\n", x);
    return argc > 2;
}
