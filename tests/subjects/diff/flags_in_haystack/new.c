// Three letters of a mode set flags, of which the branches before the change are made; the same six hundred branches are between.
// $ awk 'BEGIN { for (i = 0; i < 206; i++) printf "a" }' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

static unsigned char in[206];
static struct {
  int read, write, append;
} mode;

static void parse(const unsigned char *text) {
  for (int i = 0; i < 3; i++) {
    if (text[i] == 0x91)
      mode.read = 1;
    if (text[i] == 0x92)
      mode.write = 1;
    if (text[i] == 0x93)
      mode.append = 1;
  }
}

static unsigned count(void) {
  unsigned sum = 0;
  for (int i = 0; i < 200; i++)
    if (in[i] < 50)
      sum += 1;
    else if (in[i] < 100)
      sum += 2;
    else if (in[i] == 200)
      sum += 3;
  return sum;
}

int main(void) {
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  unsigned sum = count();
  parse(in + 200);
  if (mode.read && mode.write && mode.append)
    puts("all of them"); //~ shown
  printf("%u\n", sum);
  return 0;
}
