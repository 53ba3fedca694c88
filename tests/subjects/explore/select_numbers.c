// Choices between numbers are expressions: constants, least, greatest and absolute values make no paths of their own.
// explore: --sym-stdin 2
// paths: 4
// exits: 0 1 6
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  signed char bytes[2];
  if (fread(bytes, 1, 2, stdin) != 2)
    return 1;
  int a = bytes[0], b = bytes[1];
  int scale = a < 3 ? 1 : 7, offset = b > 9 ? 20 : 40;
  int least = __builtin_elementwise_min(a, b), greatest = __builtin_elementwise_max(a, 4);
  if (abs(least) * scale + offset + greatest == 257)
    return 6;
  return 0;
}
