#include <stdlib.h>

static void drop(char *block) {
    free(block);
}

int main(void) {
    char *block = malloc(4);
    drop(block);
    drop(block);
    return 0;
}
