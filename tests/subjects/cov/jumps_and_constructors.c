// Code before main, and jumps over frames.
// args: 3
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
static int prepared;

__attribute__((constructor)) static void prepare(void) {
    prepared = 1; //~ 1
}

static void deeper(int n) {
    if (n == 0) //~ branch 1 3
        longjmp(back, 42); //~ 1
    deeper(n - 1); //~ 3
    puts("never"); // in one block with the call before it, so it counts as executed, as it does for clang
}

int main(int argc, char **argv) {
    int value = setjmp(back);
    if (value == 0) //~ branch 1 1
        deeper(atoi(argv[argc - 1])); //~ 1
    printf("%d %d\n", value, prepared); //~ 1
    return 0;
}
