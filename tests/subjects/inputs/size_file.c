// A stream reads a file whose size depends on the input.
// args: A
// names: A
// file A: abcd
// size: 5
// reaches: nothing, one, longer
#include <stdio.h>

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!file)
    return 1;
  int n = 0;
  while (getc(file) != EOF)
    n++;
  if (n == 0)
    puts("nothing");
  if (n == 1)
    puts("one");
  if (n == 5)
    puts("longer");
  return 0;
}
