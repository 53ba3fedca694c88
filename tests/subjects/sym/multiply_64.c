// A product of 64 bits is exact.
// args: abcdefgh
#include <stdio.h>
#include <stdint.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  uint64_t number;
  memcpy(&number, argv[1], sizeof number);
  if (number * 0x9e3779b97f4a7c15u == 0x4955b63d5e8933d8u) //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
