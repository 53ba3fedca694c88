// The number of arguments depends on the input, within what is said.
// args: a
// count: 0 3
// room: 3
// reaches: none, three, third is x
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc == 1)
    puts("none");
  if (argc == 4) {
    puts("three");
    if (!strcmp(argv[3], "x"))
      puts("third is x");
  }
  return 0;
}
