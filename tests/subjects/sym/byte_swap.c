// Bytes in the other order mean the same bytes.
// args: abcd
#include <stdio.h>
#include <stdint.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  uint32_t number;
  memcpy(&number, argv[1], sizeof number);
  if (__builtin_bswap32(number) == 0x77787980) //~ symbolic
    puts("found");
  else
    puts("other");
  return 0;
}
