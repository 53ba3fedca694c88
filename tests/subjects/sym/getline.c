// A line in a block of the library is symbolic.
// args: data
// file data: first\nsecond\n
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char *line = NULL;
  size_t size = 0;
  FILE *file = fopen(argv[1], "r");
  if (getline(&line, &size, file) > 2 && line[2] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  free(line);
  return 0;
}
