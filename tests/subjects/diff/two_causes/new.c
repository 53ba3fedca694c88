// $ program
// $ program a
// $ program a b
// difference: output unclassified
// difference: output unclassified
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc == 1)
    puts("1"); //~ shown
  else if (argc == 2)
    puts("2"); //~ shown
  else
    puts("many");
  return 0;
}
