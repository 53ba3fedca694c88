// The new version writes behind its buffer for one length; nothing of that is in its output.
// $ printf 'aaaa' | program
// diff: --first --time 60
// difference: memory regression
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned char in[4];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  unsigned char *buffer = malloc(16);
  unsigned at = in[0] == 0xc3 ? in[1] & 31 : 0; //~ shown
  buffer[at] = in[2];
  puts("done");
  free(buffer);
  return 0;
}
