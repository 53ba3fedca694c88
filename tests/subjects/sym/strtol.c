// A number read in base 10 means its digits.
// args: 12a
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char *end;
  long number = strtol(argv[1], &end, 10);
  if (number == 777) //~ symbolic
    puts("777");
  else
    puts("other");
  if (*end) //~ symbolic
    puts("and more");
  return 0;
}
