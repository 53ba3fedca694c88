// A line of a stream is symbolic, and so is where it ends.
// args: data
// file data: one\ntwo\n
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char line[16];
  FILE *file = fopen(argv[1], "r");
  fgets(line, sizeof line, file);
  fgets(line, sizeof line, file);
  if (strcmp(line, "six\n") == 0) //~ symbolic
    puts("six");
  else
    puts("other");
  return 0;
}
