// A choice without a branch is an expression.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int value = argv[1][0] > 'm' ? 1 : 2;
  if (value == 1) //~ symbolic
    puts("late");
  else
    puts("early");
  return 0;
}
