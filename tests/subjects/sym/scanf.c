// Numbers that scanf stores mean the digits in standard input.
// stdin: 5 apples\n
#include <stdio.h>

int main(void) {
  int n = 0;
  if (scanf("%d", &n) == 1 && n > 7) //~ symbolic
    puts("many");
  else
    puts("few");
  return 0;
}
