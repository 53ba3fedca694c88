// A number whose base is in its prefix means its digits.
// args: 0x1f
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strtol(argv[1], NULL, 0) == 0x2a) //~ symbolic
    puts("42");
  else
    puts("other");
  return 0;
}
