// Numbers that fscanf stores mean the digits in the file.
// args: data
// file data: 17 4\n
#include <stdio.h>

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  int x = 0, y = 0;
  if (file && fscanf(file, "%d %d", &x, &y) == 2 && x == y * 3) //~ symbolic
    puts("three times");
  else
    puts("other");
  return 0;
}
