#ifndef METER_H
#define METER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_NAME 6
#define MAX_READINGS 64

/* What a meter has recorded at one time. */
struct reading {
    char name[MAX_NAME + 1];
    unsigned day; /* from 1 */
    int32_t value;
};

/* A log: at most so many readings, and the values that the meter can show. */
struct log {
    unsigned interval; /* minutes between two readings */
    int32_t low, high;
    size_t count;
    struct reading readings[MAX_READINGS];
};

/* The days that were asked for. */
struct days {
    unsigned char *bits; /* one for each day up to the last */
    unsigned last;
    unsigned open; /* all days from this one on; 0 if not asked for */
};

/* Ends the program with a message. */
_Noreturn void fail(const char *message);

void read_log(FILE *file, struct log *log);
unsigned readings_a_day(const struct log *log);

/* Takes a list such as `1,3-5,9-`. */
void parse_days(const char *list, struct days *days);
int has_day(const struct days *days, unsigned day);

/* Prints a reading: `%n` is its name, `%d` its day, `%v` its value; `\n` and `\t` are what they are in C. */
void print_reading(const char *format, const struct reading *reading);

/* Prints how many readings are in each tenth of the range of values. */
void print_chart(const struct log *log);

#endif
