// Items read from a stream are symbolic.
// args: data
// file data: abcdefgh
#include <stdio.h>
#include <stdint.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  uint32_t items[2] = {0, 0};
  FILE *file = fopen(argv[1], "r");
  if (fread(items, 4, 2, file) == 2 && items[1] == 0x01020304) //~ symbolic
    puts("number");
  else
    puts("other");
  return 0;
}
