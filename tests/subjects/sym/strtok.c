// Tokens keep the meaning of their bytes.
// args: one,two
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char *first = strtok(argv[1], ",");
  char *second = first ? strtok(NULL, ",") : NULL;
  if (second && strcmp(second, "six") == 0) //~ symbolic
    puts("six");
  else
    puts("other");
  return 0;
}
