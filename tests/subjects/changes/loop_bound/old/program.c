// A loop goes on once more.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    for (int i = 0; i < x; i++)
        putchar('a');
    printf("%d\n", x);
    return argc > 2;
}
