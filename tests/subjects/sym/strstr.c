// Whether a string is in another one is one branch.
// args: xxxxxxxx
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strstr(argv[1], "key")) //~ symbolic
    puts("found");
  else
    puts("missing");
  return 0;
}
