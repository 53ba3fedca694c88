// Whether a character is in a string is an expression.
// args: key-value
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char *place = strchr(argv[1], '=');
  if (place) //~ symbolic
    puts("found");
  else
    puts("missing");
  return 0;
}
