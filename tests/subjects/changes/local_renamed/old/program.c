// A variable has another name, which is no change.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int a = x, b = x + 1;
    x = a * b - a;
    printf("%d\n", x);
    return argc > 2;
}
