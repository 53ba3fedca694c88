// __LINE__ says where it stands and nothing else.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x == 0)
        printf("%d\n", __LINE__);
    printf("%d\n", x);
    return argc > 2;
}
