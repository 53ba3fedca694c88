// Counts survive a program that ends by a signal in the middle of a loop.
// args: 1
#include <stdlib.h>

int main(int argc, char **argv) {
    int limit = 10 * argc;
    for (int i = 0;; i++) {
        if (i == limit) //~ branch 1 20
            abort(); //~ 1
    }
    return argv[0][0];
}
