// A byte of an argument is symbolic, also behind the first argument.
// args: one two
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 3) //~ not symbolic
    return 1;

  if (argv[2][1] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
