// Nothing changed.
#include "program.h"
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = clamped(x);
    printf("%d %d\n", x, other(x));
    return argc > 2;
}
