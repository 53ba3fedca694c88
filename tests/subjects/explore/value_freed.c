// Which of several blocks is freed is a choice of the input: behind it, each is another one that may no longer be read.
// explore: --sym-stdin 1 --all-paths
// finds: heap-use-after-free heap-use-after-free
// exits: 0
#include <stdlib.h>
#include <unistd.h>

static volatile char last;

int main(void) {
  char *first = malloc(8);
  char *second = malloc(8);
  char *blocks[3] = {first, second, NULL};
  unsigned char which;
  if (!first || !second || read(0, &which, 1) != 1 || which >= 3)
    return 0;
  free(blocks[which]);
  last = *first; //~ heap-use-after-free
  last = *second; //~ heap-use-after-free
  return 0;
}
