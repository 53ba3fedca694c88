// A comparison with a constant is one branch, over all of its bytes.
// args: xxxxx
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (strcmp(argv[1], "hello") == 0) //~ symbolic
    puts("hello");
  else
    puts("other");
  return 0;
}
