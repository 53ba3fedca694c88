// The product of two numbers of the user's does not fit.
// args: 65536 65536
// fine: 65535 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int width = atoi(argv[1]);
    int height = atoi(argv[2]);
    printf("%d\n", width * height); //~ runtime error: signed integer overflow: 65536 * 65536 cannot be represented in type 'int'
    return 0;
}
