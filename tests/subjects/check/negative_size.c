// A length that includes its own header of four bytes, less that header, is the size of a block.
//
// Of a negative size malloc makes nothing, and nobody asks.
//
// test: printf '\010\000\000\000body' >chunk && test "$(./subject chunk)" = body
// breaks: printf '\000\000\000\000body' >chunk && ./subject chunk
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HEADER 4

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  uint8_t header[HEADER];
  if (!file || fread(header, 1, HEADER, file) != HEADER)
    return 1;
  int length = header[0] | header[1] << 8 | header[2] << 16;
  int size = length - HEADER;
  char *body = malloc(size);
  size_t count = fread(body, 1, size, file); //~ SEGV, distance 0, bytes 1
  printf("%.*s\n", (int)count, body);
  free(body);
  fclose(file);
  return 0;
}
