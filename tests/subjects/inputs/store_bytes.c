// Four bytes at a place that need not be a multiple of four.
// stdin: 0
// reaches: first, second, middle
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  unsigned char s[1];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  char text[32] = "";
  unsigned number = 0x44434241;
  memcpy(text + (s[0] & 15), &number, sizeof number);
  if (text[5] == 'A')
    puts("first");
  else if (text[5] == 'B')
    puts("second");
  if (text[9] == 'C' && text[6] == 0)
    puts("middle");
  return 0;
}
