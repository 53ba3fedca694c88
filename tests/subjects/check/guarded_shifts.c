// Shifts that are defined whatever the input is: of unsigned numbers, of small ones, and of those that were checked.
//
// finds: nothing
// test: printf 'abcdefgh' | ./subject
// asks: shift 3
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t number) { return number << 7 | number >> 25; }

static uint32_t big_endian(const unsigned char *b) {
  uint32_t number = 0;
  for (int i = 0; i < 4; i++)
    number = number << 8 | b[i];
  return number;
}

int main(void) {
  unsigned char b[8];
  if (fread(b, 1, sizeof b, stdin) != sizeof b)
    return 1;
  uint32_t number = big_endian(b), mask = 1u << (b[4] & 31);
  int small = b[5] << 8, checked = b[6] - 'a';
  int shifted = checked >= 0 ? checked << 3 : 0;
  uint64_t wide = (uint64_t)number << 32 | rotate(number);
  printf("%u %u %d %d %llu\n", number, mask, small, shifted, (unsigned long long)wide);
  return 0;
}
