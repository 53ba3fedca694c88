// A table on the heap is as good as a constant one.
// args: 5
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int *table = malloc(16 * sizeof *table);
  for (int i = 0; i < 16; i++)
    table[i] = i * i;
  if (table[argv[1][0] & 15] == 81) //~ symbolic
    puts("81");
  else
    puts("other");
  free(table);
  return 0;
}
