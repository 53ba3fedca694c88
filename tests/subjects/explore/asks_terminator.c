// A string that has no end in its object if no byte of the input is zero.
// explore: --sym-stdin 4
// finds: heap-buffer-overflow
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *text = malloc(4);
  if (read(0, text, 4) != 4)
    return 1;
  return strlen(text) == 2; //~ heap-buffer-overflow
}
