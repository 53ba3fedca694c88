// An index that reaches behind a block, by much or by little, is one defect.
// explore: --sym-arg 2
// finds: heap-buffer-overflow
#include <stdlib.h>

int main(int argc, char **argv) {
  char *block = malloc(8);
  unsigned char index = argv[1][0];
  if (index > 200)
    return 2;
  if (index == 9)
    return block[index] == 1; //~ heap-buffer-overflow
  return 0;
}
