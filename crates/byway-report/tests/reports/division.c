// The processor stops at what was reported.
// args: 0
#include <stdlib.h>

int main(int argc, char **argv) {
    return 5 / atoi(argv[argc - 1]);
}
