// Where a character is in a string is an expression too.
// args: ab:cd
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  long place = strchr(argv[1], ':') - argv[1];
  if (place == 1) //~ symbolic
    puts("second");
  else
    puts("elsewhere");
  return 0;
}
