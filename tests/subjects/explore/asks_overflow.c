// Signed arithmetic that overflows for one input of 2^32, and a shift by too many bits.
// explore: --sym-stdin 5
// finds: signed-integer-overflow shift-exponent
#include <string.h>
#include <unistd.h>

int main(void) {
  char bytes[5];
  int number;
  if (read(0, bytes, sizeof bytes) != sizeof bytes)
    return 1;
  memcpy(&number, bytes, sizeof number);
  number = number + 1;          //~ signed-integer-overflow
  return 1u >> bytes[4] & 1u & (unsigned)number; //~ shift-exponent
}
