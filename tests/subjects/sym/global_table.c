// A load from a table at a symbolic index means what is in the table.
// args: 5
#include <stdio.h>

static const int squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int value = squares[argv[1][0] & 15]; //~ access
  if (value == 81) //~ symbolic
    puts("81");
  else
    puts("other");
  return 0;
}
