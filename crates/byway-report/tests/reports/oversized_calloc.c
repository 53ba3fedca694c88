// args: 4611686018427387904
// options: oversized
#include <stdlib.h>

int main(int argc, char **argv) {
    char *block = calloc(atol(argv[argc - 1]), 16);
    return block != NULL;
}
