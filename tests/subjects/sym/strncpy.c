// A copied string means what the string does, and a byte written over it does not.
// args: abcd
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char copy[64];
  strncpy(copy, argv[1], sizeof copy - 1);
  copy[63] = 0;
  copy[0] = 'z';
  if (copy[0] == 'a') //~ not symbolic
    puts("a");
  if (copy[1] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
