// A byte that was overwritten is not symbolic any more.
// args: ab
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  argv[1][0] = 'c';
  if (argv[1][0] == 'x') //~ not symbolic
    puts("never");
  if (argv[1][1] == 'x') //~ symbolic
    puts("x");
  puts("end");
  return 0;
}
