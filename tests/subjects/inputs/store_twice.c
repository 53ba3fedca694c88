// Two writes at indices that may be the same: the later one is what is there, and what is read at a third is either or none.
// stdin: 012
// reaches: replaced, first, second, unchanged
// never: neither
#include <stdio.h>
#include <unistd.h>

int main(void) {
  unsigned char s[3];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  unsigned char a[16] = {0};
  unsigned x = s[0] & 15, y = s[1] & 15, z = s[2] & 15;
  a[x] = 7;
  a[y] = 8;
  if (a[x] == 8)
    puts("replaced");
  if (a[z] == 7)
    puts("first");
  else if (a[z] == 8)
    puts("second");
  else if (a[z] == 0)
    puts("unchanged");
  else
    puts("neither");
  return 0;
}
