#include "tally.h"

#include <string.h>

int main(int argc, char **argv) {
    int average = argc > 1 && strcmp(argv[1], "--average") == 0;
    struct table table;
    size_t wrong = read_table(stdin, &table);
    if (wrong) {
        fprintf(stderr, "tally: line %zu is not a row of numbers\n", wrong);
        return 1;
    }
    for (size_t i = 0; i < table.columns; i++) {
        long value = table.sums[i];
        if (average && table.rows)
            value /= (long)table.rows;
        printf(i ? ",%ld" : "%ld", value);
    }
    putchar('\n');
    return 0;
}
