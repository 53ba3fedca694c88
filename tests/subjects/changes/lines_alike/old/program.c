// Each line says on which it stands, as macros of test frameworks do: a blank line that is gone makes one line say what the next one said.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
  do { \
    if (!(condition)) \
      fail("a check failed", __LINE__); \
  } while (0)

static void fail(const char *text, int line) {
  printf("%d: %s\n", line, text);
  exit(1);
}

int main(int argc, char **argv) {
  int n = argc;


  CHECK(n > 0);
  CHECK(n < 10);
  CHECK(n != 5);
  CHECK(n != 7);
  n += 2;
  CHECK(argv[0] != NULL);
  CHECK(n != 4);
  printf("%d\n", n);
  return 0;
}
