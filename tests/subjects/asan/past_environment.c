// The same with a string of the environment.
// env: BYWAY_SUBJECT=x
// args:
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *value = getenv("BYWAY_SUBJECT");
    if (!value)
        return 0;
    printf("%d\n", value[2]); //~ AddressSanitizer: heap-buffer-overflow
    return 0;
}
