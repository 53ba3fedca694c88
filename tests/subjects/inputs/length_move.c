// What is moved within one object by a length of the input, in both directions.
// stdin: 2
// reaches: up, down
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  unsigned char s[1];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  char up[16] = "abcdefgh", down[16] = "abcdefgh";
  unsigned n = s[0] & 7;
  memmove(up + 2, up, n);
  if (up[6] == 'e' && up[7] == 'h')
    puts("up");
  memmove(down, down + 2, n);
  if (down[3] == 'f' && down[4] == 'e')
    puts("down");
  return 0;
}
