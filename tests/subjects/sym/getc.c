// A character from a stream by getc is symbolic.
// args: data
// file data: abc
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  FILE *file = fopen(argv[1], "r");
  int first = getc(file), second = getc(file);
  if (first != EOF && second == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
