// A jump goes elsewhere; no statement differs.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    for (int i = 0; i < 10; i++) {
        if (i == x)
            break;
        printf("%d", i);
    }
    printf("%d\n", x);
    return argc > 2;
}
