#include <stdlib.h>

int main(void) {
    char *block = malloc(4);
    free(block + 1);
    return 0;
}
