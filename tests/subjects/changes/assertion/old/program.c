// An assertion stands on another line.
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    assert(x != 3);
    printf("%d\n", x);
    return argc > 2;
}
