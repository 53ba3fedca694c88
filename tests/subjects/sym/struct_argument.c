// A struct passed and returned by value keeps the meaning of its members.
// args: abc
#include <stdio.h>

struct pair {
  long a, b;
};

static struct pair turned(struct pair p) {
  struct pair other = {p.b, p.a};
  return other;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  struct pair one = {argv[1][0], argv[1][1]};
  if (turned(one).a == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
