// The branch before the change tests a flag that an option set long before: it does not depend on the input itself. Its definition is
// what has to be reached.
// $ printf 'aaaa' | program --xxx
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>
#include <string.h>

static int verbose;

int main(int argc, char **argv) {
  unsigned x;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--vbs") == 0)
      verbose = 1;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  if (verbose)
    printf("read %u\n", x & 7); //~ shown
  puts("done");
  return 0;
}
