// A program may say what it likes.
#include <stdio.h>

int main(void) {
    fprintf(stderr, "x.bc:3:1: runtime error: divide by zero\n");
    return 3;
}
