// A jump to an address that is itself input. Few of its values lead to a label, and none is near another one: each label has to
// be asked for. The first byte keeps the first run away from the jump.
// stdin: -12345678
// reaches: one, two, three
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char text[9];
  void *volatile known[] = {&&one, &&two, &&three};
  void *label = known[0];
  if (read(0, text, 9) != 9)
    return 1;
  if (text[0] == 'j')
    memcpy(&label, text + 1, sizeof label);
  goto *label;
one:
  puts("one");
  return 0;
two:
  puts("two");
  return 0;
three:
  puts("three");
  return 0;
}
