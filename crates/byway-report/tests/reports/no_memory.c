// Without the option, malloc returns NULL, and the program can handle it.
// args: -1
#include <stdlib.h>

int main(int argc, char **argv) {
    char *block = malloc((size_t)atol(argv[argc - 1]));
    return block != NULL;
}
