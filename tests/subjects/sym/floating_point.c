// A number that becomes floating-point loses its meaning, and that is said.
// args: 3
// loses: floating-point
// Expressions are over integers; the conversion leaves them.
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  double half = (argv[1][0] - '0') / 2.0;
  if (half > 2.5) //~ not symbolic
    puts("more");
  else
    puts("less");
  return 0;
}
