// A text is another one.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x == 1)
        puts("one");
    puts("two");
    printf("%d\n", x);
    return argc > 2;
}
