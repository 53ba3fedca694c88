// A statement is new.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x < 0) //~ added
        x = -x; //~ added
    x++;
    printf("%d\n", x);
    return argc > 2;
}
