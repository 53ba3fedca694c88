// The address of a member of nothing is given to a function, and that fails: one finding, at the member.
//
// test: test "$(printf 'a' | ./subject)" = 7
#include <stdio.h>

struct entry {
  int key, value;
};

static struct entry entry = {3, 7};

__attribute__((noinline)) static int load(const int *value) { return *value; }

int main(void) {
  int found[4] = {0}, at = getchar() & 3;
  struct entry *which = at == 1 ? &entry : NULL;
  found[at] = load(&which->value); //~ null, then SEGV, distance 1, bytes 1
  printf("%d\n", found[at]);
  return 0;
}
