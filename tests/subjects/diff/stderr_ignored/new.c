// $ program -v
// diff: --only-given --ignore stderr
// same
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int verbose = argc > 1 && !strcmp(argv[1], "-v");
  int level = 1; //~ silent
  if (verbose >= level)
    fputs("verbose\n", stderr);
  return 0;
}
