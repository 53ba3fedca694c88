// A word that sscanf stores means its bytes.
// args: name=abc
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char word[16] = "";
  if (sscanf(argv[1], "name=%15s", word) == 1 && word[0] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
