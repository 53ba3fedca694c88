// options: memory
#include <stdlib.h>
#include <string.h>

int main(void) {
    for (;;)
        memset(malloc(1 << 22), 1, 1 << 22);
}
