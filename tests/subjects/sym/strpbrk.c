// The first character of a set is found by an expression.
// args: a+b
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strpbrk(argv[1], "*/")) //~ symbolic
    puts("product");
  else
    puts("no product");
  return 0;
}
