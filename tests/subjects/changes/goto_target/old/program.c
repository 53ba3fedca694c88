// A goto has another target.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x == 3)
        goto out;
    x++;
again:
    x += 2;
out:
    x += 3;
    if (x == 100)
        goto again;
    printf("%d\n", x);
    return argc > 2;
}
