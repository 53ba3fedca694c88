// A write at an index of the input is a choice for each byte that it can reach: 2, 5 and 9 are solved for.
// stdin: 00
// reaches: two, five, both, nine
#include <stdio.h>
#include <unistd.h>

int main(void) {
  unsigned char s[2];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  char a[16] = {0}, b[16] = {0};
  unsigned x = s[0] & 15, y = s[1] & 15;
  a[x] = 7;
  if (x == 2)
    puts("two");
  if (a[5] == 7)
    puts("five");
  b[y] = s[0];
  if (a[12] == 7 && b[13] == 'L')
    puts("both");
  if (b[9])
    puts("nine");
  return 0;
}
