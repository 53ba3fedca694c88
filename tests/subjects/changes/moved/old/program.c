// A function stands elsewhere in the file, which is no change.
#include <stdio.h>
#include <stdlib.h>
static int twice(int a) {
    return a * 2;
}
static int thrice(int a) {
    return a * 3;
}
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = twice(x) + thrice(x);
    printf("%d\n", x);
    return argc > 2;
}
