// Bytes of a union are bytes of its number.
// args: abcd
#include <stdio.h>
#include <stdint.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  union {
    char bytes[4];
    uint32_t number;
  } both;
  for (int i = 0; i < 4; i++)
    both.bytes[i] = argv[1][i];
  if (both.number >> 16 == 0x7978) //~ symbolic
    puts("xy");
  else
    puts("other");
  return 0;
}
