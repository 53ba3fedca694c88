// A number is read at an offset that the input names, as if every offset were aligned.
//
// test: printf '\004...\001\000\000\000........' | ./subject
// breaks: printf '\005...\001\000\000\000........' | ./subject
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned char *data = malloc(16);
  if (!data || fread(data, 1, 16, stdin) != 16 || data[0] > 12)
    return 1;
  uint32_t *number = (uint32_t *)(data + data[0]);
  printf("%u\n", *number); //~ alignment, distance 0, bytes 1
  free(data);
  return 0;
}
