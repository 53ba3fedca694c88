// A copy that _FORTIFY_SOURCE would send around AddressSanitizer, were it left on.
// flags: -Wp,-D_FORTIFY_SOURCE=2
// args: 0123456789
// fine: 012345
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char *copy = malloc(8);
    strcpy(copy, argv[argc - 1]); //~ AddressSanitizer: heap-buffer-overflow
    puts(copy);
    free(copy);
    return 0;
}
