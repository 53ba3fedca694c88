// An inline function of a header is another one, in all files that include it.
#include "program.h"
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = clamped(x);
    printf("%d %d\n", x, other(x));
    return argc > 2;
}
