// A macro is another one; the lines that use it change, their text does not.
#include <stdio.h>
#include <stdlib.h>
#define LIMIT 11
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x > LIMIT) //~ changed
        x = LIMIT; //~ changed
    x++;
    printf("%d\n", x);
    return argc > 2;
}
