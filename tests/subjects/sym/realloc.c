// What is in a block keeps its meaning when the block moves.
// args: ab
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char *block = malloc(2);
  block[0] = argv[1][0];
  block[1] = argv[1][1];
  block = realloc(block, 100000);
  if (block[1] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  free(block);
  return 0;
}
