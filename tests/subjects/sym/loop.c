// The end of a loop over a string is a branch each time.
// args: abc
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int n = 0;
  for (const char *p = argv[1]; *p; p++) //~ symbolic
    n++;
  printf("%d\n", n);
  return 0;
}
