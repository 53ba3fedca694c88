// Copied bytes make a number that means what they do.
// args: abcd
#include <stdio.h>
#include <stdint.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  uint32_t number;
  memcpy(&number, argv[1], sizeof number);
  if (number == 0x64636261 + 1) //~ symbolic
    puts("bbcd");
  else
    puts("other");
  return 0;
}
