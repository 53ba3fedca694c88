#ifndef TALLY_H
#define TALLY_H

#include <stddef.h>
#include <stdio.h>

#define MAX_COLUMNS 16

struct table {
    size_t columns;
    size_t rows;
    long sums[MAX_COLUMNS];
};

/* Parses a decimal number; returns NULL if there is none, else where it ends. */
const char *parse_number(const char *text, long *value);

/* Reads rows of numbers separated by commas; returns 0, or the number of the line that is wrong. */
size_t read_table(FILE *input, struct table *table);

#endif
