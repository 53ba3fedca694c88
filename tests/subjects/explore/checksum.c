// A checksum that no table of bytes answers: it takes a SAT solver to find the bytes.
// explore: --sym-stdin 5
// covers: all
// exits: 0 1 2
// asks: sat
#include <stdint.h>
#include <unistd.h>

int main(void) {
  unsigned char bytes[5];
  if (read(0, bytes, sizeof bytes) != sizeof bytes)
    return 0;
  uint32_t sum = 5381;
  for (int i = 0; i < 5; i++)
    sum = sum * 33 + bytes[i];
  if (sum == 0x0f30c291)
    return 1;
  return 2;
}
