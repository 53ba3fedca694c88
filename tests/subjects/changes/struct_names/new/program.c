// Members with other names are no change.
#include <stdio.h>
#include <stdlib.h>
struct spot {
    int right;
    int down;
};
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    struct spot p = {0};
    p.down = x;
    x = p.down + 1;
    printf("%d\n", x);
    return argc > 2;
}
