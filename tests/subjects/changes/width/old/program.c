// A variable is wider.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    short y = x;
    x = y + 1;
    printf("%d\n", x);
    return argc > 2;
}
