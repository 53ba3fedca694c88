// Comments and blank lines are no change.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x++; // one
    x += 2;
    printf("%d\n", x);
    return argc > 2;
}
