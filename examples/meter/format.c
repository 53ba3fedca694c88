#include "meter.h"

static void print_field(char field, const struct reading *reading) {
    switch (field) {
    case 'n': fputs(reading->name, stdout); break;
    case 'd': printf("%u", reading->day); break;
    case 'v': printf("%d", reading->value); break;
    case '%': putchar('%'); break;
    default: fail("a format has %n, %d, %v and %%");
    }
}

static void print_escape(char escape) {
    switch (escape) {
    case 'n': putchar('\n'); break;
    case 't': putchar('\t'); break;
    default: putchar(escape);
    }
}

void print_reading(const char *format, const struct reading *reading) {
    for (; *format; format++) {
        switch (*format) {
        case '%': print_field(*++format, reading); break;
        case '\\': print_escape(*++format); break;
        default: putchar(*format);
        }
    }
}
