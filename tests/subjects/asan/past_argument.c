// A backslash at the end of an argument takes the terminating zero for the escaped character. The kernel puts the strings
// of argv one behind the other, so a plain sanitizer build sees nothing.
// args: ab\
// fine: a\b
#include <stdio.h>

int main(int argc, char **argv) {
    int letters = 0;
    for (const char *p = argv[argc - 1]; *p; p++) { //~ AddressSanitizer: heap-buffer-overflow
        if (*p == '\\')
            p++;
        letters++;
    }
    printf("%d\n", letters);
    return 0;
}
