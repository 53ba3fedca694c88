// A function has another name, which is no change where it is called.
#include <stdio.h>
#include <stdlib.h>
static int twice(int a) {
    if (a > 100)
        return 0;
    return a * 2;
}
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = twice(x);
    printf("%d\n", x);
    return argc > 2;
}
