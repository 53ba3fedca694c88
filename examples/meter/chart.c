#include "meter.h"

#define BUCKETS 10

void print_chart(const struct log *log) {
    unsigned counts[BUCKETS] = {0};
    if (log->low >= log->high)
        fail("there is no range of values");
    for (size_t i = 0; i < log->count; i++) {
        int bucket = (log->readings[i].value - log->low) * BUCKETS / (log->high - log->low);
        /* The highest value belongs to the last bucket. */
        if (bucket < 0)
            bucket = 0;
        if (bucket >= BUCKETS)
            bucket = BUCKETS - 1;
        counts[bucket]++;
    }
    for (int i = 0; i < BUCKETS; i++)
        printf(i ? " %u" : "%u", counts[i]);
    putchar('\n');
}
