// Remainders of signed numbers have the sign of what was divided.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int number = argv[1][0] - 'm';
  if (number % 5 == -3) //~ symbolic
    puts("-3");
  else
    puts("other");
  return 0;
}
