// A file that the program made itself is not input.
// args: data
// file data: abc
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char c = 0;
  FILE *file = fopen("made", "w+");
  fputs("x", file);
  rewind(file);
  if (fread(&c, 1, 1, file) == 1 && c == 'x') //~ not symbolic
    puts("x");
  else
    puts(argv[1]);
  if (argv[1][0] == 'x') //~ symbolic
    puts("named x");
  return 0;
}
