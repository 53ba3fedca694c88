#include <stdlib.h>

static void drop(char *block) {
    free(block);
}

int main(int argc, char **argv) {
    char *block = malloc(4);
    block[0] = argc;
    drop(block);
    return block[0];
}
