// A further variable does not change what uses the others.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int c = x + 2; //~ added
    int a = x, b = x + 1;
    x = a * b;
    x -= a;
    x += c; //~ added
    printf("%d\n", x);
    return argc > 2;
}
