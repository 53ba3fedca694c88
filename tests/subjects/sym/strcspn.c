// How many characters come before one of a set is an expression.
// args: abcd
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strcspn(argv[1], ",;") == 2) //~ symbolic
    puts("two");
  else
    puts("other");
  return 0;
}
