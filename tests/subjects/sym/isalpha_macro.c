// The macros of <ctype.h> look into a table of the library.
// args: a
#include <stdio.h>
#include <ctype.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (isalpha((unsigned char)argv[1][0])) //~ symbolic
    puts("letter");
  else
    puts("no letter");
  return 0;
}
