// Depth counts each branch of a loop that could have gone the other way; the operation at the end of it is at distance 1 from
// the last of them.
//
// Thirty bytes are each a branch, and the one that is too many is the thirtieth: depth 30.
//
// test: printf '%030d' 0 | ./subject
// breaks: printf '%029dz' 0 | ./subject
#include <stdio.h>

static int sums[4];

int main(void) {
  char text[31] = "";
  if (fread(text, 1, 30, stdin) != 30)
    return 1;
  int at = 0;
  for (int i = 0; i < 30; i++) {
    at = 0;
    if (text[i] == 'z' && i == 29)
      at = i;
  }
  sums[at]++; //~ bounds, distance 1, depth 30, bytes 1
  return 0;
}
