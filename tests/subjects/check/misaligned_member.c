// A header behind a name of any length is used where it is.
//
// test: printf '\010namename\001\000\000\000\002\000\000\000-------' | ./subject
// breaks: printf '\007namename\001\000\000\000\002\000\000\000-------' | ./subject
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header {
  uint32_t kind, size;
};

int main(void) {
  char *data = malloc(24);
  unsigned char length;
  if (!data || fread(&length, 1, 1, stdin) != 1 || fread(data, 1, 23, stdin) != 23 || length > 16)
    return 1;
  struct header *header = (struct header *)(data + length);
  printf("%u\n", header->size); //~ alignment, distance 0, bytes 1
  free(data);
  return 0;
}
