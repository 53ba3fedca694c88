// Comparisons of a sort are branches, and sorted bytes keep their meaning.
// args: cab
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  return *(const unsigned char *)a - *(const unsigned char *)b;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  qsort(argv[1], strlen(argv[1]), 1, compare);
  if (argv[1][0] == 'b') //~ symbolic
    puts("b");
  else
    puts("other");
  return 0;
}
