// The last place of a character is an expression.
// args: a.b.c
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strrchr(argv[1], '.') == argv[1] + 1) //~ symbolic
    puts("early");
  else
    puts("late");
  return 0;
}
