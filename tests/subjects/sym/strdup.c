// A copy of a string on the heap means what the string does.
// args: abc
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char *copy = strdup(argv[1]);
  if (copy[1] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  free(copy);
  return 0;
}
