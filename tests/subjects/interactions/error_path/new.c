// A function that does not return is not passed. What is executed only if it is not called depends on the decision too.
// start -> size
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

int main(int argc, char **argv) {
  int size = 6; //~ size: change -> used
  int used = argc * 2; //~ used: change -> decision
  if (used > size) //~ decision: interaction -> output
    fail("too much");
  puts("fine");
  return 0;
}
