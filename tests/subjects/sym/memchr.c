// Whether a byte is in memory is an expression.
// args: abcdef
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (memchr(argv[1], '!', 6)) //~ symbolic
    puts("found");
  else
    puts("missing");
  return 0;
}
