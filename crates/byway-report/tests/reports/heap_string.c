// The write is in strcpy, the defect in its caller.
// args: aaaaaaaaaaaaa
#include <stdlib.h>
#include <string.h>

static void fill(char *block, const char *text) {
    strcpy(block, text);
}

int main(int argc, char **argv) {
    fill(malloc(4), argv[argc - 1]);
    return 0;
}
