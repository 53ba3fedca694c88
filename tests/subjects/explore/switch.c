// Every case of a switch is reached, and its default.
// explore: --sym-stdin 1
// paths: 11
// covers: all
// exits: 0 1 2 3 4 5 6 7 8 9 10
#include <unistd.h>

int main(void) {
  unsigned char letter;
  if (read(0, &letter, 1) != 1)
    return 0;
  switch (letter) {
  case 'a':
    return 1;
  case 'c':
    return 2;
  case 'e':
    return 3;
  case '0':
    return 4;
  case '\n':
    return 5;
  case 0x80:
    return 6;
  case 0xff:
    return 7;
  case 'x':
    return 8;
  case 'z':
    return 9;
  default:
    return 10;
  }
}
