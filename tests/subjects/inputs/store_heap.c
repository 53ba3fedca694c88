// A write into a block of the allocator, at what two bytes of the input add up to.
// stdin: 000
// reaches: here, there
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char s[3];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  int *block = calloc(600, sizeof *block);
  if (!block)
    return 1;
  block[s[0] + s[1]] = s[2] * 3;
  if (block[17] == 300)
    puts("here");
  if (block[500] == 93)
    puts("there");
  free(block);
  return 0;
}
