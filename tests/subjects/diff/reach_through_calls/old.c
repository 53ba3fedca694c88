#include <stdio.h>

static void report(unsigned code) {
  if (code >> 28 == 7)
    printf("code %u\n", code);
}

static void handle(unsigned kind, unsigned code) {
  if (kind == 0xfeedbeef)
    report(code);
}

int main(void) {
  unsigned a, b;
  if (fread(&a, sizeof a, 1, stdin) != 1 || fread(&b, sizeof b, 1, stdin) != 1)
    return 2;
  handle(a, b);
  puts("done");
  return 0;
}
