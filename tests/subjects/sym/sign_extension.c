// A signed byte is extended with its sign.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  long number = (signed char)argv[1][0];
  if (number == -2) //~ symbolic
    puts("-2");
  else
    puts("other");
  return 0;
}
