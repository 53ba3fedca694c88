// A static variable of a function begins with another value.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    static int calls = 2; //~ value
    x += calls++;
    printf("%d\n", x);
    return argc > 2;
}
