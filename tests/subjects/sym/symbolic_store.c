// A store at a symbolic index is an event.
// args: 5
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char flags[16] = {0};
  flags[argv[1][0] & 15] = 1; //~ access
  if (flags[5])
    puts("five");
  else
    puts("other");
  return 0;
}
