// A sort of pointers branches on what they point to.
// args: pear apple
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  int order = strcmp(*(char *const *)a, *(char *const *)b);
  if (order < 0) //~ symbolic
    return -1;
  return order > 0;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;

  char *first = argv[1];
  qsort(argv + 1, 2, sizeof *argv, compare); // the order is decided in here
  puts(argv[1] == first ? "in order" : "turned");
  return 0;
}
