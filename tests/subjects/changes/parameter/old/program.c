// A function has a parameter more.
#include <stdio.h>
#include <stdlib.h>
static int scaled(int a) {
    return a * 2;
}
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = scaled(x);
    printf("%d\n", x);
    return argc > 2;
}
