// A terminating zero goes one past the end of a heap block.
// args: 12345678
// fine: 1234567
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    size_t length = strlen(argv[argc - 1]);
    char *copy = malloc(8);
    for (size_t i = 0; i < length; i++)
        copy[i] = argv[1][i];
    copy[length] = '\0'; //~ AddressSanitizer: heap-buffer-overflow
    int first = copy[0];
    free(copy);
    return first == 'x';
}
