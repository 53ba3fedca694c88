// A comparison that ignores case is one branch.
// args: abc
#include <stdio.h>
#include <strings.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strcasecmp(argv[1], "YES") == 0) //~ symbolic
    puts("yes");
  else
    puts("no");
  return 0;
}
