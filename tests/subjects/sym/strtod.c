// A floating-point number means nothing, and that is said.
// args: 1.5
// loses: unmodelled
// Expressions are over integers; strtod gives none.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strtod(argv[1], NULL) > 2) //~ not symbolic
    puts("more");
  else
    puts("less");
  return 0;
}
