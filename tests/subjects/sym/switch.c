// A switch on a symbolic value is one event with several ways.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  switch (argv[1][0]) { //~ switch
  case 'x':
    puts("x");
    break;
  case 'y':
  case 'z':
    puts("y or z");
    break;
  default:
    puts("other");
  }
  return 0;
}
