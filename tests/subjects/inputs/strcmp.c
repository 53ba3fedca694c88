// A longer text than the argument is can be asked for.
// args: x
// room: 5
// reaches: long, prefix
// runs: 8
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  if (strcmp(argv[1], "abcd") == 0)
    puts("long");
  else if (strncmp(argv[1], "xyz", 3) == 0)
    puts("prefix");
  return 0;
}
