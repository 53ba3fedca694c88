// A program may define what the C library does; counting must not stumble over it.
// args: x
#include <stdio.h>
#include <stdlib.h>

char *getenv(const char *name) {
    printf("getenv %s\n", name); //~ 1
    return NULL;
}

int open(const char *path, int flags) {
    abort(); //~ 0
    return path[flags];
}

long read(int file, void *buffer, unsigned long length) {
    abort(); //~ 0
    return file + length + (buffer != NULL);
}

int main(int argc, char **argv) {
    puts(getenv("HOME") ? "home" : argv[argc - 1]); //~ branch 0 1
    return 0;
}
