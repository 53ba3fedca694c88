// Arithmetic of 128 bits is exact.
// args: abcdefgh
#include <stdio.h>
#include <stdint.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  uint64_t number;
  memcpy(&number, argv[1], sizeof number);
  unsigned __int128 product = (unsigned __int128)number * number;
  if ((uint64_t)(product >> 64) == 0x2a942cf5f01c7c22) //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
