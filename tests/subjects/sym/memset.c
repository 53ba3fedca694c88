// Memory filled with a symbolic byte means that byte, with another one nothing.
// args: a
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char block[16];
  memset(block, argv[1][0], sizeof block);
  if (block[9] == 'x') //~ symbolic
    puts("x");
  memset(block, 0, 8);
  if (block[1] == 'x') //~ not symbolic
    puts("never");
  puts("end");
  return 0;
}
