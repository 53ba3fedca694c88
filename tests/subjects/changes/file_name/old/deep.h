#include <stdio.h>
static int where(int x) {
    puts(__FILE__);
    return x > 2;
}
