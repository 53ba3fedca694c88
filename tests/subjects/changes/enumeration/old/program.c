// A value of an enumeration is another one.
#include <stdio.h>
#include <stdlib.h>
enum { RED, GREEN };
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x == GREEN)
        x = RED;
    printf("%d\n", x);
    return argc > 2;
}
