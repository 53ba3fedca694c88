// A switch has a case more.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    switch (x) {
    case 1:
        x = 10;
        break;
    }
    printf("%d\n", x);
    return argc > 2;
}
