// A number that may be too large means its digits.
// args: 12345678901234567890
#include <stdio.h>
#include <errno.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  errno = 0;
  unsigned long number = strtoul(argv[1], NULL, 10);
  if (number > 12345678901234567899ul) //~ symbolic
    puts("larger");
  else
    puts("not larger");
  return errno == ERANGE;
}
