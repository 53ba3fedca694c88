// Numbers that sscanf stores mean their digits.
// args: 12,34
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int x = 0, y = 0;
  int stored = sscanf(argv[1], "%d,%d", &x, &y);
  if (stored == 2 && x + y == 77) //~ symbolic
    puts("77");
  else
    puts("other");
  return 0;
}
