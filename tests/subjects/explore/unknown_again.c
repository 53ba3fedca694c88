// Queries that take longer than they may are asked again with more time when nothing else is left.
// explore: --sym-stdin 6 --query-timeout 0.01 --time 60 --solver false
// exits: 0 1 2
// asks: sat
#include <stdint.h>
#include <unistd.h>

int main(void) {
  unsigned char bytes[6];
  if (read(0, bytes, sizeof bytes) != sizeof bytes)
    return 0;
  uint32_t hash = 2166136261u;
  for (int i = 0; i < 6; i++)
    hash = (hash ^ bytes[i]) * 16777619u;
  if (hash == 0x7a9c3f01)
    return 1;
  return 2;
}
