#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  return strcmp(*(char **)a, *(char **)b);
}
int main(int argc, char **argv) {
  qsort(argv + 1, argc - 1, sizeof *argv, compare);
  for (int i = 1; i < argc; i++)
    puts(argv[i]);
  return 0;
}
