#include <stdio.h>
#include <stdlib.h>
int other(int x);
static inline int clamped(int x) {
    if (x > 12) //~ changed
        return 0;
    return x;
}
