#include <stdio.h>

static int width = 1;

int main(void) {
  char in[8];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  for (int i = 0; i + 1 < 8; i++) {
    if (in[i] == 'W' && in[i + 1] == '3')
      width = 2;
    else if (in[i] == 'P' && in[i + 1] == '8')
      if (width * 8 > 20)
        puts("wide");
  }
  puts("done");
  return 0;
}
