// Elements of a vector keep their meaning.
// args: abcdefghijklmnop
#include <stdio.h>
#include <string.h>

typedef unsigned char bytes __attribute__((vector_size(16)));

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  bytes one, sum;
  memcpy(&one, argv[1], sizeof one);
  sum = one + one;
  if (sum[3] == 0xf0) //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
