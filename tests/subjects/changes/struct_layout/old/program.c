// A member more moves those behind it: what uses them changes.
#include <stdio.h>
#include <stdlib.h>
struct point {
    int x;
    int y;
};
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    struct point p = {0};
    p.y = x;
    x = p.y + 1;
    printf("%d\n", x);
    return argc > 2;
}
