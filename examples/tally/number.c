#include "tally.h"

#include <ctype.h>
#include <limits.h>

const char *parse_number(const char *text, long *value) {
    int negative = *text == '-';
    if (negative)
        text++;
    if (!isdigit((unsigned char)*text))
        return NULL;
    long number = 0;
    for (; isdigit((unsigned char)*text); text++) {
        int digit = *text - '0';
        if (number > (LONG_MAX - digit) / 10)
            return NULL;
        number = 10 * number + digit;
    }
    *value = negative ? -number : number;
    return text;
}
