// A function stands in another file, which is no change.
#include <stdio.h>
int twice(int a) {
    return a * 2;
}
int main(int argc, char **argv) {
    printf("%d\n", twice(argc));
    return 0;
}
