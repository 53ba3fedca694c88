// Another variable of the same type is used.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int a = x, b = x + 1;
    x = a * b - a;
    x += a;
    printf("%d\n", x);
    return argc > 2;
}
