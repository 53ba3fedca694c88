// A table with one entry too few.
// args: 7
// fine: 6
#include <stdlib.h>

static const char *days[] = {"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"};

int main(int argc, char **argv) {
    int day = atoi(argv[argc - 1]);
    return days[day][0] == 'x'; //~ AddressSanitizer: global-buffer-overflow
}
