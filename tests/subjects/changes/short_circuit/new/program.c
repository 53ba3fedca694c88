// A condition more.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x > 3 && x < 9 && x != 5) //~ changed
        x = 0;
    printf("%d\n", x);
    return argc > 2;
}
