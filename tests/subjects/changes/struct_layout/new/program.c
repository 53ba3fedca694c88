// A member more moves those behind it: what uses them changes.
#include <stdio.h>
#include <stdlib.h>
struct point {
    int x;
    int z;
    int y;
};
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    struct point p = {0}; //~ changed
    p.y = x; //~ changed
    x = p.y + 1; //~ changed
    printf("%d\n", x);
    return argc > 2;
}
