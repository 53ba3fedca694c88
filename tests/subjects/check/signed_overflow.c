// The size of a picture is the product of two numbers of 16 bits, in an int.
//
// The limit is asked of the product, when it has overflowed already.
//
// test: printf '\020\000\010\000' >picture && test "$(./subject picture)" = 128
// test: printf '\377\017\377\017' >picture && ! ./subject picture
// breaks: printf '\020\377\010\377' >picture && ./subject picture
#include <stdint.h>
#include <stdio.h>

#define MAX_PIXELS (1 << 20)

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  uint16_t size[2];
  if (!file || fread(size, sizeof *size, 2, file) != 2)
    return 1;
  int pixels = size[0] * size[1]; //~ signed-integer-overflow, distance 0, depth 0, bytes 2
  if (pixels > MAX_PIXELS)
    return 1;
  printf("%d\n", pixels);
  fclose(file);
  return 0;
}
