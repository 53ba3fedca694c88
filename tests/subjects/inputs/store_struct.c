// A structure is copied to an element that the input chooses, and from another one.
// stdin: 000
// reaches: copied, read back
#include <stdio.h>
#include <unistd.h>

struct item {
  long key;
  short flag;
  char name[14];
};

int main(void) {
  unsigned char s[3];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  struct item items[8] = {{0, 0, ""}}, one = {s[1], 5, "name"};
  items[s[0] & 7] = one;
  if (items[6].key == 'k' && items[6].name[1] == 'a')
    puts("copied");
  struct item other = items[s[2] & 7];
  if (other.flag == 5 && (s[2] & 7) == 4)
    puts("read back");
  return 0;
}
