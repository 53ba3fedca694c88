// The old version is right. What each change does alone does no harm; all inputs that show the error execute both.
// $ printf 'aaaaaaaa' | program
// $ printf 'W3aaaaaa' | program
// $ printf 'P8aaaaaa' | program
// diff: --first --time 60 --ignore sanitizers --search interactions
// difference: output regression
// interacting changes: 2
#include <stdio.h>

static int width = 1;

int main(void) {
  char in[8];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  for (int i = 0; i + 1 < 8; i++) {
    if (in[i] == 'W' && in[i + 1] == '3')
      width = 3; //~ shown
    else if (in[i] == 'P' && in[i + 1] == '8')
      if (width * 8 > 23) //~ shown
        puts("wide");
  }
  puts("done");
  return 0;
}
