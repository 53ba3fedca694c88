// A block is used after the option that frees it.
// args: -r
// fine: -k
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char *name = strdup("name");
    if (argc > 1 && strcmp(argv[1], "-r") == 0)
        free(name);
    return name[argc % 2] == 'x'; //~ AddressSanitizer: heap-use-after-free
}
