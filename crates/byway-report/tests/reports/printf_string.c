// The read is deep within what AddressSanitizer does for printf.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(3);
    memset(text, 'a', 3);
    printf("%s\n", text);
    return 0;
}
