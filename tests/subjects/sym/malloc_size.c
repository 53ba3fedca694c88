// A symbolic size of a block is an event.
// args: 8
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char *block = malloc(argv[1][0]); //~ allocation
  if (!block)
    return 1;
  block[0] = 'x';
  puts("allocated");
  free(block);
  return 0;
}
