// args: 1
#include <stdlib.h>

int main(int argc, char **argv) {
    if (atoi(argv[argc - 1]) == 1)
        __builtin_unreachable();
    return 0;
}
