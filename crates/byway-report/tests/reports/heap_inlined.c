// A read behind a heap block, in a function that was inlined.
// args: 7
// flags: -O1
#include <stdlib.h>

static char *make(int size) {
    return calloc(size, 1);
}

static int get(char *block, int index) {
    return block[index];
}

int main(int argc, char **argv) {
    return get(make(4), atoi(argv[argc - 1]));
}
