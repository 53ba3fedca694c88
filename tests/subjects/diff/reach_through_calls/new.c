// The change is in a function that is called behind a branch of another one.
// $ printf 'aaaaaaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

static void report(unsigned code) {
  if (code >> 28 == 7)
    printf("code %x\n", code); //~ shown
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
