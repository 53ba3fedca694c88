#include <stdio.h>
static int where(int x) {
    puts(__FILE__); //~ position
    return x > 2;
}
