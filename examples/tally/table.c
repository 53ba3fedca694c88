#include "tally.h"

#include <string.h>

static int add_row(struct table *table, const char *line) {
    size_t column = 0;
    for (;;) {
        long value;
        line = parse_number(line, &value);
        if (!line || column == MAX_COLUMNS)
            return 0;
        table->sums[column++] += value;
        if (*line != ',')
            break;
        line++;
    }
    if (*line != '\n' && *line != '\0')
        return 0;
    if (column > table->columns)
        table->columns = column;
    table->rows++;
    return 1;
}

size_t read_table(FILE *input, struct table *table) {
    char line[256];
    size_t number = 0;
    memset(table, 0, sizeof *table);
    while (fgets(line, sizeof line, input)) {
        number++;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (!add_row(table, line))
            return number;
    }
    return 0;
}
