// The length of an argument is an expression over its bytes.
// args: hello
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strlen(argv[1]) == 3) //~ symbolic
    puts("three");
  else
    puts("other");
  return 0;
}
