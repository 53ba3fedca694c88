// How much is read depends on the input: other lengths are tried too.
// explore: --sym-stdin 6
// exits: 1 2 3
#include <string.h>
#include <unistd.h>

int main(void) {
  char text[5] = {0};
  unsigned char length;
  if (read(0, &length, 1) != 1)
    return 1;
  if (length > 5)
    return 1;
  if (read(0, text, length) != length)
    return 1;
  if (length == 4 && memcmp(text, "byw", 3) == 0)
    return 2;
  return 3;
}
