// Comments and blank lines are no change.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);

    /* more than
       one line */
    x++;

    x += 2; // two
    printf("%d\n", x);
    return argc > 2;
}
