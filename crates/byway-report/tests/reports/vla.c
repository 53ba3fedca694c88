// args: 5
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int size = atoi(argv[argc - 1]);
    char block[size];
    memset(block, 0, size + 1);
    return block[0];
}
