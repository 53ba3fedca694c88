// The paper's Figure 5, tcas version 13: only one rate in 100 of four thousand million shows it.
// $ printf 'aaaaaaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned rate, separation;
  if (fread(&rate, sizeof rate, 1, stdin) != 1 || fread(&separation, sizeof separation, 1, stdin) != 1)
    return 2;
  int enabled = rate <= 700 && separation > 0x70000000; //~ shown
  puts(enabled ? "enabled" : "disabled");
  return 0;
}
