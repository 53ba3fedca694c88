// The C library is between main and the function that fails.
#include <stdlib.h>
#include <string.h>

static int compare(const void *first, const void *second) {
    return (*(char *const *)first)[9] - (*(char *const *)second)[9];
}

int main(void) {
    char *texts[2] = {strdup("ab"), strdup("cd")};
    qsort(texts, 2, sizeof *texts, compare);
    return 0;
}
