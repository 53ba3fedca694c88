// A member of an element: elements of 12 bytes, of which one is chosen and others stay as they were.
// stdin: 00
// reaches: chosen, name
// never: key
#include <stdio.h>
#include <unistd.h>

struct item {
  int key;
  short flag;
  char name[6];
};

int main(void) {
  unsigned char s[2];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  struct item items[8] = {{0, 0, ""}};
  int index = s[0] - '0';
  if (index < 0 || index > 7)
    return 1;
  items[index].flag = s[1];
  items[index].name[2] = 'n';
  if (items[5].flag == 'z')
    puts("chosen");
  if (items[3].name[2] == 'n' && items[3].flag == 'q')
    puts("name");
  if (items[2].key)
    puts("key");
  return 0;
}
