// The effect grows in a loop and shows when a sum passes a limit.
// $ printf '12345678' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  int c, sum = 0;
  while ((c = getchar()) != EOF)
    sum += c & 31; //~ shown
  puts(sum > 150 ? "much" : "little");
  return 0;
}
