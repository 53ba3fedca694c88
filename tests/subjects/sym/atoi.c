// A number read by atoi means its digits and its sign.
// args: -12
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (atoi(argv[1]) == -42) //~ symbolic
    puts("-42");
  else
    puts("other");
  return 0;
}
