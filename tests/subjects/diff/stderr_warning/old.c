#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int verbose = argc > 1 && !strcmp(argv[1], "-v");
  int level = 2;
  if (verbose >= level)
    fputs("verbose\n", stderr);
  return 0;
}
