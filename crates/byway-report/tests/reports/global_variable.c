// args: 4
#include <stdlib.h>

int table[4];

int main(int argc, char **argv) {
    int *numbers = table;
    return numbers[atoi(argv[argc - 1])];
}
