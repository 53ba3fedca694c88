// A variable has another name, which is no change.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int factor = x, b = x + 1;
    x = factor * b - factor;
    printf("%d\n", x);
    return argc > 2;
}
