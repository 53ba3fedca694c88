// Comparisons of a binary search are branches.
// args: d
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *key, const void *element) {
  if (*(const char *)key == *(const char *)element) //~ symbolic
    return 0;
  return *(const char *)key < *(const char *)element ? -1 : 1;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  static const char letters[] = "aceg";
  if (bsearch(argv[1], letters, 4, 1, compare))
    puts("found");
  else
    puts("missing");
  return 0;
}
