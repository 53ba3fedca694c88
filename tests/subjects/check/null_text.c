// The text of nothing is given to a function that copies it, in the library: one finding, where the text is taken.
//
// test: test "$(printf 'a' | ./subject)" = abc
#include <stdio.h>
#include <string.h>

struct entry {
  int key;
  char text[4];
};

static struct entry entry = {3, "abc"};
static char copies[4][4];

__attribute__((noinline)) static void copy(char *to, const char *from) { memcpy(to, from, 4); }

int main(void) {
  int at = getchar() & 3;
  struct entry *which = at == 1 ? &entry : NULL;
  copy(copies[at], which->text); //~ null, then SEGV, distance 1, bytes 1
  puts(copies[1]);
  return 0;
}
