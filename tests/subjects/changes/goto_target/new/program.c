// A goto has another target.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x == 3)
        goto again; //~ control
    x++;
again:
    x += 2;
out:
    x += 3;
    if (x == 100)
        goto again;
    if (0)
        goto out;
    printf("%d\n", x);
    return argc > 2;
}
