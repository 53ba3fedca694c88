#include "meter.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

#define MAX_RANGES 16
#define MAX_DAY 3660

struct range {
    unsigned from, to;
};

static const char *parse_day(const char *text, unsigned *day) {
    *day = 0;
    for (; isdigit((unsigned char)*text); text++) {
        *day = *day * 10 + (unsigned)(*text - '0');
        if (*day > MAX_DAY)
            fail("a day is too far away");
    }
    return text;
}

static const char *parse_range(const char *text, struct range *range) {
    text = parse_day(text, &range->from);
    range->to = range->from;
    if (*text == '-')
        text = parse_day(text + 1, &range->to);
    if (range->from == 0 || (range->to != 0 && range->to < range->from))
        fail("a range of days makes no sense");
    return text;
}

static int is_marked(const struct days *days, unsigned day) {
    return days->bits[day / CHAR_BIT] >> day % CHAR_BIT & 1;
}

static void mark(struct days *days, const struct range *range) {
    for (unsigned day = range->from; day <= range->to; day++)
        days->bits[day / CHAR_BIT] |= (unsigned char)(1u << day % CHAR_BIT);
}

void parse_days(const char *list, struct days *days) {
    struct range ranges[MAX_RANGES];
    size_t count = 0;
    while (*list) {
        if (count == MAX_RANGES)
            fail("there are too many ranges of days");
        list = parse_range(list, &ranges[count]);
        if (ranges[count].to == 0)
            days->open = ranges[count].from;
        else
            count++;
        if (*list == ',')
            list++;
        else if (*list)
            fail("days are numbers, '-' and ','");
    }
    for (size_t i = 0; i < count; i++)
        if (ranges[i].to > days->last)
            days->last = ranges[i].to;
    days->bits = calloc(days->last / CHAR_BIT + 1, 1);
    if (!days->bits)
        fail("there is no memory");
    for (size_t i = 0; i < count; i++)
        mark(days, &ranges[i]);
    /* Days that are asked for twice are a mistake. */
    if (days->open && is_marked(days, days->open))
        fail("a day is asked for twice");
}

int has_day(const struct days *days, unsigned day) {
    if (days->open && day >= days->open)
        return 1;
    return day <= days->last && is_marked(days, day);
}
