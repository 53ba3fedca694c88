// The last statement before the end of a block is gone.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x > 20) {
        x = 10;
        puts("large"); //~ removed
    }
    printf("%d\n", x);
    return argc > 2;
}
