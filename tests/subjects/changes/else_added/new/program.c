// A branch has another side.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x > 0)
        x = 1;
    else
        x = 7; //~ added
    printf("%d\n", x);
    return argc > 2;
}
