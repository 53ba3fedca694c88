// How much standard input there is depends on the input, also if there is nothing.
// stdin:
// size: 6
// reaches: nothing, five, all, END
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char text[8];
  ssize_t n = read(0, text, sizeof text);
  if (n == 0)
    puts("nothing");
  if (n == 5)
    puts("five");
  if (n == 6)
    puts("all");
  if (n == 3 && !memcmp(text, "END", 3))
    puts("END");
  return 0;
}
