// An unsigned addition becomes a signed one.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = x + 1; //~ changed
    printf("%d\n", x);
    return argc > 2;
}
