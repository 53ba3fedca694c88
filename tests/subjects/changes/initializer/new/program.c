// A variable begins with another value.
#include <stdio.h>
#include <stdlib.h>
int start = 5; //~ value
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x += start;
    printf("%d\n", x);
    return argc > 2;
}
