// args: -3
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char block[8];
    memset(block, 0, atol(argv[argc - 1]));
    return block[0];
}
