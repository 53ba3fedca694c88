// args: 4
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char block[8] = "abcdef";
    memcpy(block, block + 1, atol(argv[argc - 1]));
    return block[0];
}
