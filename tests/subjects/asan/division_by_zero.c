// A modulus that the input decides.
// args: 0
// fine: 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned buckets = strtoul(argv[argc - 1], NULL, 10);
    printf("%u\n", 1000u % buckets); //~ runtime error: division by zero
    return 0;
}
