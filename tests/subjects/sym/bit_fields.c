// Bit fields keep the meaning of their bits.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  struct {
    unsigned low : 3, high : 5, rest : 9;
  } bits = {0, 0, 0};
  bits.low = argv[1][0];
  bits.high = argv[1][0] >> 3;
  if (bits.high == 15 && bits.low == 0) //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
