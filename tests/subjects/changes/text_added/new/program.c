// A text more shifts the numbers of all others, which is no change.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    puts("one"); //~ added
    puts("two");
    puts("three");
    printf("%d\n", x);
    return argc > 2;
}
