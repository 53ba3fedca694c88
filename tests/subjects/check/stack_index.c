// An index into an array on the stack: how often each letter occurs, for letters that are in fact any bytes up to `z`.
//
// A byte below `a` is on the same way as the test. The compiler knows the array, so it is a matter of bounds.
//
// test: test "$(printf 'abca' | ./subject)" = '2 1 1'
// breaks: printf 'ab a' | ./subject
#include <stdio.h>

static void count(FILE *input) {
  int counts[26] = {0};
  for (int c; (c = getc(input)) != EOF;) {
    if (c > 'z')
      continue;
    counts[c - 'a']++; //~ bounds, distance 0, depth 1, bytes 1
  }
  printf("%d %d %d\n", counts[0], counts[1], counts[2]);
}

int main(void) {
  count(stdin);
  return 0;
}
