#include <stdio.h>
#include <stdlib.h>

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

int main(int argc, char **argv) {
  int size = 8;
  int used = argc;
  if (used > size)
    fail("too much");
  puts("fine");
  return 0;
}
