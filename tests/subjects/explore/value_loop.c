// Concretizations in a loop: there are too many values to try all. What a branch behind them needs is found all the same.
// explore: --sym-stdin 8
// exits: 1 2 3
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char text[8];
  unsigned char *block = calloc(1 << 20, 1);
  if (read(0, text, sizeof text) != sizeof text)
    return 1;
  for (int i = 0; i < 7; i++)
    block[text[i] * 4001] = 1;
  if (text[3] == 'q' && text[5] == text[4] + 1 && text[7] == 'y')
    return 2;
  return 3;
}
