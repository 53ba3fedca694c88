// A copy of a length of the input: bytes on both sides of its end are what they would be for other lengths.
// stdin: 4
// reaches: long, short, exact
// never: torn
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  unsigned char s[1];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  char from[16] = "0123456789", to[16] = "................";
  size_t n = s[0] - '0';
  if (n > 10)
    return 1;
  memcpy(to, from, n);
  if (to[7] == '7')
    puts("long");
  if (to[1] == '.')
    puts("short");
  if (to[5] == '5' && to[6] == '.')
    puts("exact");
  if (to[3] == '.' && to[4] == '4')
    puts("torn");
  return 0;
}
