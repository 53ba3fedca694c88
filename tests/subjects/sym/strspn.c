// How many characters of a set a string begins with is an expression.
// args: 12ab
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strspn(argv[1], "0123456789") == 4) //~ symbolic
    puts("a number");
  else
    puts("something else");
  return 0;
}
