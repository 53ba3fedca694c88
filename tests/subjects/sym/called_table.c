// A function chosen by a symbolic index is a symbolic access.
// args: 1
#include <stdio.h>

static int zero(int x) { return x; }
static int one(int x) { return x + 1; }

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  static int (*const functions[4])(int) = {zero, one, zero, one};
  int value = functions[argv[1][0] & 3](7); //~ access
  printf("%d\n", value);
  return 0;
}
