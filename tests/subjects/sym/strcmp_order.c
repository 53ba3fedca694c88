// The sign of a comparison is an expression.
// args: same same
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;

  if (strcmp(argv[1], argv[2]) < 0) //~ symbolic
    puts("less");
  else
    puts("not less");
  return 0;
}
