// The first input asks for more memory than there is, and crashes where it is used: less memory leads on.
// explore: --checks all
// args: 9
// finds: pointer-overflow abort
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  unsigned long size = (unsigned long)(argv[1][0] & 15) << 43;
  char *block = malloc(size + 2);
  block[0] = argv[1][0]; //~ pointer-overflow
  if (block[0] == 'p')
    abort(); //~ abort
  return 0;
}
