#include "meter.h"

#include <stdlib.h>
#include <unistd.h>

void fail(const char *message) {
    fprintf(stderr, "meter: %s\n", message);
    exit(1);
}

int main(int argc, char **argv) {
    const char *format = "%d %n %v\\n", *list = NULL;
    int chart = 0, summary = 0;
    for (int option; (option = getopt(argc, argv, "cd:f:s")) != -1;) {
        switch (option) {
        case 'c': chart = 1; break;
        case 'd': list = optarg; break;
        case 'f': format = optarg; break;
        case 's': summary = 1; break;
        default: return 1;
        }
    }
    if (optind + 1 != argc)
        fail("usage: meter [-c] [-s] [-d DAYS] [-f FORMAT] FILE");
    FILE *file = fopen(argv[optind], "rb");
    if (!file)
        fail("the file cannot be opened");
    static struct log log;
    read_log(file, &log);
    fclose(file);
    if (summary)
        printf("%zu readings, %u a day\n", log.count, readings_a_day(&log));
    if (chart) {
        print_chart(&log);
        return 0;
    }
    struct days days = {NULL, 0, 0};
    if (list)
        parse_days(list, &days);
    for (size_t i = 0; i < log.count; i++)
        if (!list || has_day(&days, log.readings[i].day))
            print_reading(format, &log.readings[i]);
    free(days.bits);
    return 0;
}
