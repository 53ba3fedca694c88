// Code that can never run may name what was never linked.
// args: a
#include <stdio.h>

void missing_function(int);
extern int missing_variable;
static const int enabled = 0;

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (enabled && argc > 1)
    missing_function(missing_variable + argv[1][0]);
  if (argv[1][0] == 'q') //~ symbolic
    puts("q");
  else
    puts("other");
  return 0;
}
