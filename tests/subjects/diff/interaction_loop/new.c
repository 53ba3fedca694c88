// Three times the one change, then the other: a sequence in a loop.
// $ printf 'aaaaaaaa' | program
// diff: --first --time 60 --ignore sanitizers --search interactions
// difference: output unclassified
#include <stdio.h>

int main(void) {
  char in[8];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  int level = 0, high = 0;
  for (int i = 0; i < 8; i++) {
    if (in[i] == '+')
      level += 2; //~ shown
    else if (in[i] == '?')
      high = level > 7; //~ shown
    else
      level = 0;
  }
  puts(high ? "high" : "low");
  return 0;
}
