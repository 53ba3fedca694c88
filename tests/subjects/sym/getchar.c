// A character from standard input is symbolic.
// stdin: abc
#include <stdio.h>

int main(void) {
  if (getchar() == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
