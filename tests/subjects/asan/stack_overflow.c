// An index that is checked with the wrong bound reaches past a local array.
// args: 4
// fine: 3
#include <stdlib.h>

int main(int argc, char **argv) {
    volatile int squares[4] = {0, 1, 4, 9};
    int index = atoi(argv[argc - 1]);
    if (index < 0 || index > 4)
        return 2;
    return squares[index] == 7; //~ AddressSanitizer: stack-buffer-overflow
}
