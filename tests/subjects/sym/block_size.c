// An access at a constant address to a block of symbolic size is an event, if it reaches further than any before.
// args: 32
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  size_t n = argv[1][0];
  char *block = malloc(n); //~ allocation
  if (!block)
    return 1;
  block[10] = 'x'; //~ reach
  block[3] = 'y';  //~ no reach
  block[10] = 'z'; //~ no reach
  block[12] = 'z'; //~ reach
  block[13] = 'z'; //~ reach
  memset(block, 0, 20); //~ reach, no length
  memset(block, 0, 20); //~ no reach
  strcpy(block + 15, "0123456789"); //~ reach
  for (int i = 0; i < 40; i++)
    if (i < (int)n) //~ symbolic
      block[i] = '0'; //~ reach
  int *resized = realloc(block, n * sizeof *resized); //~ allocation
  if (!resized)
    return 1;
  resized[0] = 0; //~ reach
  printf("%d\n", resized[3]); //~ reach
  free(resized);
  char *other = malloc(48);
  if (!other)
    return 1;
  other[20] = 0; //~ no reach
  puts(other + 20);
  free(other);
  return 0;
}
