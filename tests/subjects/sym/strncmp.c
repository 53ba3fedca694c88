// A comparison of the first bytes only is an expression over those.
// args: --xxx=1
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strncmp(argv[1], "--key", 5) == 0) //~ symbolic
    puts("key");
  else
    puts("other");
  return 0;
}
