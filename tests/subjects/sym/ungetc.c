// A character that was put back is read again with its meaning.
// args: data
// file data: abc
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  FILE *file = fopen(argv[1], "r");
  ungetc(getc(file), file);
  if (getc(file) == 'x') //~ symbolic
    puts("x");
  if (getc(file) == 'y') //~ symbolic
    puts("y");
  puts("end");
  return 0;
}
