// Two statements in another order.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    puts("two"); //~ added
    puts("one");
    printf("%d\n", x);
    return argc > 2;
}
