// Each call of a function has its own meanings.
// args: aabc
#include <stdio.h>

static int depth(const char *s) {
  if (*s != 'a') //~ symbolic
    return 0;
  return 1 + depth(s + 1);
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (depth(argv[1]) == 4) // decided in there
    puts("four");
  else
    puts("other");
  return 0;
}
