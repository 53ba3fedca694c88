// The paper's Figure 1: the change is reached by x > 0, and shows for x = 3 or between 4 and 20.
// $ printf '\377\377\377\377' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  int x, y, o;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  if (x > 0) {
    y = 2; //~ shown
    if (x - y > 0)
      o = y;
    else
      o = 0;
  } else {
    o = -1;
  }
  if (x > 20)
    o = 10;
  printf("%d\n", o);
  return 0;
}
