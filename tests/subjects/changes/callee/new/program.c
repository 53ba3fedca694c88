// Another function is called.
#include <stdio.h>
#include <stdlib.h>
static int twice(int a) {
    return a * 2;
}
static int thrice(int a) {
    return a * 3;
}
int (*keep[])(int) = {twice, thrice};
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    x = thrice(x); //~ changed
    x += thrice(x);
    printf("%d\n", x);
    return argc > 2;
}
