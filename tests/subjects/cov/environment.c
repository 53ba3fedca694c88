// The program never sees that it is counted.
// args:
#include <stdio.h>
#include <string.h>

extern char **environ;

int main(void) {
    for (char **p = environ; *p; p++)
        if (strncmp(*p, "BYWAY_COVERAGE", 14) == 0)
            puts(*p); //~ 0
    return 0; //~ 1
}
