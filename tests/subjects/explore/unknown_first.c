// The hard branch comes first, and cheap ones behind its other side: these are explored before it is asked again.
// Needed: a query that takes too long does not keep the others waiting, and is not forgotten.
// explore: --sym-stdin 4 --query-timeout 0.01 --time 60 --solver false
// exits: 0 1 2 3
#include <stdint.h>
#include <unistd.h>

int main(void) {
  unsigned char b[4];
  if (read(0, b, sizeof b) != sizeof b)
    return 0;
  uint32_t hash = 0x9747b28c;
  for (int i = 0; i < 4; i++)
    hash = (hash + b[i]) * 0x01000193u ^ hash >> 15;
  if (hash == 0xf806e2fd)
    return 1;
  if (b[0] == 'c')
    return 3;
  return 2;
}
