#include <stdio.h>
#include <stdlib.h>
int other(int x);
static inline int clamped(int x) {
    if (x > 10)
        return 0;
    return x;
}
