// A second switch on the same value asks for other cases, so it is noted too.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  switch (argv[1][0]) { //~ switch
  case 'x':
    puts("x");
    break;
  default:
    puts("not x");
  }
  switch (argv[1][0]) { //~ switch
  case 'a':
    puts("a");
    break;
  case 'b':
    puts("b");
    break;
  default:
    puts("neither");
  }
  return 0;
}
