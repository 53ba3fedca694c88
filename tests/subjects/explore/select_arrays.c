// One of two arrays, at an index that depends on the input too: each is a table of its own.
// explore: --sym-stdin 2
// covers: all
// exits: 0 1 7 9
#include <stdio.h>

int main(void) {
  int which = getchar(), index = getchar();
  if (which == EOF || index == EOF)
    return 1;
  char some[8] = {1, 2, 3, 7}, others[8] = {0, 0, 0, 0, 0, 0, 9, 0};
  const char *values = which == 's' ? some : others;
  if (index >= 8)
    return 0;
  char value = values[index];
  if (value == 7)
    return 7;
  if (value == 9)
    return 9;
  return 0;
}
