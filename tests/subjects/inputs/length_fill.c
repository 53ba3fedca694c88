// A fill of a length and a byte of the input.
// stdin: 4x
// reaches: long, byte
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  unsigned char s[2];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  char line[40] = "";
  unsigned n = s[0] & 31;
  memset(line + 2, s[1], n);
  if (line[20])
    puts("long");
  if (line[9] == 'q' && line[10] == 0)
    puts("byte");
  return 0;
}
