// args: 3
#include <assert.h>
#include <stdlib.h>

static void check(int number) {
    assert(number != 3 && "three");
}

int main(int argc, char **argv) {
    check(atoi(argv[argc - 1]));
    return 0;
}
