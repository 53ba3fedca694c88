// A case falls through to the next.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    switch (x) {
    case 1:
        puts("one"); //~ control
    case 2:
        puts("two");
        break;
    }
    printf("%d\n", x);
    return argc > 2;
}
