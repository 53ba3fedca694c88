// What the change computes is only used if another byte says so (the paper's Figure 4, tcas version 3).
// $ printf 'aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned char in[4];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  int valid = in[0] == 'v', none = in[1] == 'n', equipped = in[2] == 0xee;
  int unknown = valid || none; //~ shown
  int enabled = in[3] > 10;
  if (enabled && equipped && unknown)
    puts("resolve");
  puts("done");
  return 0;
}
