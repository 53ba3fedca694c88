// Something easy lies behind a branch that is hard: when the hard one is solved with more time, the easy one is explored too.
// Needed: a side that was given up is pending again, and what is behind it is part of the tree.
// explore: --sym-stdin 6 --query-timeout 0.01 --time 60 --solver false
// exits: 0 1 2 3
#include <stdint.h>
#include <unistd.h>

int main(void) {
  unsigned char b[6];
  if (read(0, b, sizeof b) != sizeof b)
    return 0;
  uint32_t hash = 2166136261u;
  for (int i = 0; i < 5; i++)
    hash = (hash ^ b[i]) * 16777619u;
  if (hash != 0x5bd1e995)
    return 1;
  if (b[5] == 'k')
    return 3;
  return 2;
}
