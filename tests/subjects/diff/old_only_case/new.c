// A case of a switch was removed.
// $ printf 'a' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  switch (getchar()) { //~ shown
  case 'a':
    puts("first");
    break;
  default:
    puts("other");
  }
  return 0;
}
