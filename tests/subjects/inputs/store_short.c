// Elements of 16 bits, at an index of 32 bits with a sign: the whole element is written, its neighbours are not.
// stdin: 00
// reaches: third, last
// never: half
#include <stdio.h>
#include <stdint.h>
#include <unistd.h>

static uint16_t table[40];

int main(void) {
  unsigned char s[2];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  int index = s[0] - '0';
  if (index < 0 || index >= 40)
    return 1;
  table[index] = 0x100 + s[1];
  if (table[3] == 0x17a)
    puts("third");
  if (table[39])
    puts("last");
  if (table[7] > 0 && table[7] < 0x100)
    puts("half");
  return 0;
}
