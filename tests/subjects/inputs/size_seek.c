// How large standard input is depends on the input, and the program looks for its end before it reads.
// stdin: abcd
// size: 5
// reaches: nothing, three, longer
#include <stdio.h>

int main(void) {
  if (fseek(stdin, 0, SEEK_END) != 0)
    return 1;
  long size = ftell(stdin);
  if (size == 0)
    puts("nothing");
  if (size == 3)
    puts("three");
  if (size == 5)
    puts("longer");
  return 0;
}
