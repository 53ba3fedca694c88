// A function has a parameter more.
#include <stdio.h>
#include <stdlib.h>
static int scaled(int a, int by) { //~ signature
    return a * by; //~ changed
}
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = scaled(x, 3); //~ changed
    printf("%d\n", x);
    return argc > 2;
}
