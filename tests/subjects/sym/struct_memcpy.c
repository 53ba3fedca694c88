// A struct copied by memcpy keeps the meaning of its members.
// args: abc
#include <stdio.h>
#include <string.h>

struct pair {
  short a, b;
};

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  struct pair one = {argv[1][0], argv[1][1]}, two;
  memcpy(&two, &one, sizeof two);
  if (two.a == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
