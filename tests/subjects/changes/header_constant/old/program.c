// A constant of a header is another one.
#include "program.h"
#include <stdio.h>
int main(int argc, char **argv) {
    printf("%d\n", argc + SIZE);
    return 0;
}
