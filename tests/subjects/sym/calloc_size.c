// The product that calloc computes is an event, also where it does not fit.
// args: 23
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  size_t count = argv[1][0] - '0', size = argv[1][1];
  char *block = calloc(count, size); //~ allocation
  block = reallocarray(block, count, 2 * size); //~ allocation
  void *aligned = aligned_alloc(16, 16 * count); //~ allocation
  if (!block || !aligned)
    return 1;
  void *volatile huge = calloc(count << 62, 4); //~ allocation
  puts(huge ? "huge" : "none");
  block[count] = 1; //~ access
  puts("allocated");
  free(block);
  free(aligned);
  free(huge);
  return 0;
}
