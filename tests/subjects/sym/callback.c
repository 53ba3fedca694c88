// A callback is given what its caller was given.
// args: abc
#include <stdio.h>

static void each(const char *s, void (*visit)(char, void *), void *data) {
  for (; *s; s++) //~ symbolic
    visit(*s, data);
}

static void look(char c, void *data) {
  if (c == 'x') //~ symbolic
    ++*(int *)data;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int seen = 0;
  each(argv[1], look, &seen);
  printf("%d\n", seen);
  return 0;
}
