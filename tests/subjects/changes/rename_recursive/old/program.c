// A recursive function has another name.
#include <stdio.h>
#include <stdlib.h>
static int sum(int a) {
    if (a <= 0)
        return 0;
    return a + sum(a - 1);
}
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = sum(x);
    printf("%d\n", x);
    return argc > 2;
}
