// One of two variables on the stack is meant.
// args: 4
#include <stdlib.h>

static int at(int *numbers, int index) {
    return numbers[index];
}

int main(int argc, char **argv) {
    int first[4] = {0}, second[4] = {0};
    return at(first, atoi(argv[1])) + at(second, argc);
}
