// Two defects on one path are two findings.
// explore: --sym-stdin 2 --all-paths
// finds: signed-integer-overflow heap-buffer-overflow
// covers: all
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char text[2];
  if (read(0, text, sizeof text) != sizeof text)
    return 1;
  int large = INT_MAX - 5;
  if (text[0] == '2')
    large += text[1]; //~ signed-integer-overflow
  volatile char *block = malloc(4);
  if (text[1] == 'd')
    return block[text[1] - '`']; //~ heap-buffer-overflow
  return large == 0;
}
