// A struct that is assigned keeps the meaning of its members.
// args: abc
#include <stdio.h>

struct pair {
  int a, b;
};

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  struct pair one = {argv[1][0], argv[1][1]}, two;
  two = one;
  if (two.b == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
