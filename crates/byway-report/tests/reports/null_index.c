// Three reports, one defect.
// args: 3
#include <stdlib.h>

int main(int argc, char **argv) {
    int *numbers = argc > 5 ? (int *)argv : NULL;
    return numbers[atoi(argv[1])];
}
