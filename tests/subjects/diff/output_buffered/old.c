#include <stdio.h>

int main(void) {
  int c, line = 0;
  while ((c = getchar_unlocked()) != EOF) {
    line += c == '\n';
    putchar_unlocked(line == 3 ? c | 0x80 : c);
  }
  return 0;
}
