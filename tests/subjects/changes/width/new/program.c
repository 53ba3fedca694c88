// A variable is wider.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    long y = x; //~ changed
    x = y + 1; //~ changed
    printf("%d\n", x);
    return argc > 2;
}
