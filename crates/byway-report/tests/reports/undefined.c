// All of these are reported in one run, and the program goes on.
// args: 1
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

int table[4];

static int add(int first, int second) {
    return first + second;
}

__attribute__((nonnull)) static int is_set(int *number) {
    return number != NULL;
}

int main(int argc, char **argv) {
    int one = atoi(argv[argc - 1]);
    int sum = add(INT_MAX, one);
    sum ^= one << (40 * one);
    sum ^= -one << 1;
    sum ^= -(INT_MIN + one - 1);
    char block[one - 1];
    sum ^= (int)sizeof block;
    char *end = (char *)-1ul;
    sum ^= (long)(end + one);
    int *odd = (int *)((char *)table + one);
    sum ^= *odd;
    sum ^= (int)(1e20 * one);
    bool flag;
    *(char *)&flag = 6 + one;
    sum ^= flag;
    sum ^= __builtin_ctz(one - 1);
    sum ^= is_set(one ? NULL : &sum);
    printf("no line end before the next report");
    fprintf(stderr, "no line end before the next report ");
    sum ^= table[one + 3];
    return 0;
}
