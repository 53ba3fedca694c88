// A length that is one too large for its object.
// explore: --sym-stdin 9
// finds: stack-buffer-overflow
#include <string.h>
#include <unistd.h>

int main(void) {
  char bytes[9], copy[7];
  if (read(0, bytes, sizeof bytes) != sizeof bytes)
    return 1;
  memset(copy, 0, sizeof copy);
  memcpy(copy, bytes + 1, bytes[0] & 7);
  memset(copy, 1, (bytes[1] & 7) + 1); //~ stack-buffer-overflow
  return copy[0];
}
