// A call through a pointer passes meanings there and back.
// args: a
#include <stdio.h>

static int twice(int x) { return 2 * x; }
static int half(int x) { return x / 2; }

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int (*function)(int) = argc > 5 ? half : twice;
  if (function(argv[1][0]) == 200) //~ symbolic
    puts("200");
  else
    puts("other");
  return 0;
}
