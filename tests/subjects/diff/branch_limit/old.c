#include <stdio.h>

int main(void) {
  unsigned rate, separation;
  if (fread(&rate, sizeof rate, 1, stdin) != 1 || fread(&separation, sizeof separation, 1, stdin) != 1)
    return 2;
  int enabled = rate <= 600 && separation > 0x70000000;
  puts(enabled ? "enabled" : "disabled");
  return 0;
}
