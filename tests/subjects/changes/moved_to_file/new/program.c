// A function stands in another file, which is no change.
#include <stdio.h>
int twice(int a);
int main(int argc, char **argv) {
    printf("%d\n", twice(argc));
    return 0;
}
