#include "program.h"
int other(int x) {
    return clamped(x + 1);
}
