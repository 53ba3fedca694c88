#include "meter.h"

#include <string.h>

#define MINUTES_A_DAY 1440
/* A label begins with what is measured: `e:` or `g:`. */
#define PREFIX 2

static unsigned read_byte(FILE *file) {
    int c = getc(file);
    if (c == EOF)
        fail("the log is not complete");
    return (unsigned)c;
}

static uint32_t read_number(FILE *file, int bytes) {
    uint32_t number = 0;
    for (int i = 0; i < bytes; i++)
        number |= read_byte(file) << 8 * i;
    return number;
}

static void read_label(FILE *file, char *name) {
    char label[PREFIX + MAX_NAME];
    unsigned length = read_byte(file);
    if (fread(label, 1, sizeof label, file) != sizeof label)
        fail("the log is not complete");
    if (length > sizeof label)
        fail("a label is too long");
    memcpy(name, label + PREFIX, length - PREFIX);
    name[length - PREFIX] = '\0';
}

void read_log(FILE *file, struct log *log) {
    char magic[4];
    if (fread(magic, 1, sizeof magic, file) != sizeof magic || memcmp(magic, "MTR1", sizeof magic) != 0)
        fail("this is no log of a meter");
    log->interval = read_number(file, 2);
    log->count = read_number(file, 2);
    log->low = (int32_t)read_number(file, 4);
    log->high = (int32_t)read_number(file, 4);
    if (log->count > MAX_READINGS)
        fail("there are too many readings");
    for (size_t i = 0; i < log->count; i++) {
        struct reading *reading = &log->readings[i];
        read_label(file, reading->name);
        reading->day = (unsigned)i * log->interval / MINUTES_A_DAY + 1;
        reading->value = (int32_t)read_number(file, 4);
        if (reading->value < log->low || reading->value > log->high)
            fail("a value is out of range");
    }
}

unsigned readings_a_day(const struct log *log) {
    return MINUTES_A_DAY / log->interval;
}
