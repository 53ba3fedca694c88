// $ program -v
// difference: stderr unclassified
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int verbose = argc > 1 && !strcmp(argv[1], "-v");
  int level = 1; //~ shown
  if (verbose >= level)
    fputs("verbose\n", stderr);
  return 0;
}
