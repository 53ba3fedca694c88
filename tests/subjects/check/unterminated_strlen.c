// Eight bytes are read into a block of eight, and then taken for a string: if none of them is a NUL, strlen goes on behind the block.
//
// test: printf 'abcdefg\000' | ./subject
// breaks: printf 'abcdefgh' | ./subject
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *name = malloc(8);
  if (!name || read(0, name, 8) != 8)
    return 1;
  printf("%zu\n", strlen(name)); //~ heap-buffer-overflow, distance 0, bytes 1
  free(name);
  return 0;
}
