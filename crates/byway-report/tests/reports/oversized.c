// args: -1
// options: oversized
#include <stdlib.h>

int main(int argc, char **argv) {
    char *block = malloc((size_t)atol(argv[argc - 1]));
    return block != NULL;
}
