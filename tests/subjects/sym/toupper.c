// A character in upper case means what the character does.
// args: a
#include <stdio.h>
#include <ctype.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (toupper((unsigned char)argv[1][0]) == 'Q') //~ symbolic
    puts("q");
  else
    puts("other");
  return 0;
}
