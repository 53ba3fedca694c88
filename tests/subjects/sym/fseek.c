// Bytes that are read again after a seek are those of that place.
// args: data
// file data: abcdef
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  FILE *file = fopen(argv[1], "r");
  getc(file);
  fseek(file, 3, SEEK_SET);
  if (getc(file) == 'x') //~ symbolic
    puts("x");
  rewind(file);
  if (getc(file) == 'y') //~ symbolic
    puts("y");
  puts("end");
  return 0;
}
