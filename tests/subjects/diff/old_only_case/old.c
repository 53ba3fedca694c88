#include <stdio.h>

int main(void) {
  switch (getchar()) {
  case 'a':
    puts("first");
    break;
  case 0x93:
    puts("second");
    break;
  default:
    puts("other");
  }
  return 0;
}
