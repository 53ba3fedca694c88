// Another layout of the same code is no change.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x > 3)
    {
        x = 4;
        puts(
            "a");
    }
    x = (x
         + 1) * 2;
    printf("%d\n", x);
    return argc > 2;
}
