// A switch has a case more.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    switch (x) { //~ changed
    case 1:
        x = 10;
        break;
    case 5:
        x = 50; //~ added
        break;
    }
    printf("%d\n", x);
    return argc > 2;
}
