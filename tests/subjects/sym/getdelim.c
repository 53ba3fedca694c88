// A field in a block of the library is symbolic.
// args: data
// file data: ab:cd:
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char *field = NULL;
  size_t size = 0;
  FILE *file = fopen(argv[1], "r");
  getdelim(&field, &size, ':', file);
  if (getdelim(&field, &size, ':', file) == 3 && field[0] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  free(field);
  return 0;
}
