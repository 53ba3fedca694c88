// Concretizations in a loop: there are too many values to try all, but a branch behind them is not forgotten.
// explore: --sym-stdin 8 --time 15
// exits: 1 2 3
// leaves: any
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char text[8];
  unsigned char *block = calloc(1 << 20, 1);
  if (read(0, text, sizeof text) != sizeof text)
    return 1;
  for (int i = 0; i < 7; i++)
    block[text[i] * 4001] = 1;
  if (block[4001 * 'b'] && text[7] == 'y')
    return 2;
  return 3;
}
