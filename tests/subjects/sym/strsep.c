// Fields of a string keep the meaning of their bytes.
// args: a:b:c
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char *rest = argv[1];
  strsep(&rest, ":");
  char *field = strsep(&rest, ":");
  if (field && field[0] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
