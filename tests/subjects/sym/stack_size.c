// Room on the stack of symbolic size is an event, and so are accesses to it.
// args: 8
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int sum(int n) {
  int numbers[n]; //~ stack allocation
  for (int i = 0; i < 8; i++)
    numbers[i] = i; //~ reach
  char *text = alloca(n + 1); //~ stack allocation
  memset(text, 'x', 6); //~ reach
  text[6] = 0; //~ reach
  puts(text);
  return numbers[7];
}

static int plain(void) {
  volatile int numbers[64];
  for (int i = 0; i < 64; i++)
    numbers[i] = i; //~ no reach
  return numbers[63];
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  printf("%d %d\n", sum(argv[1][0] - '0'), plain());
  return 0;
}
