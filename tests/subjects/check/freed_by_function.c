// A function frees what it is given. Who calls it too early is to blame: two callers, two findings, of two places each.
//
// test: printf 'ab0' | ./subject
// test: printf 'ab1.' | ./subject
#include <stdio.h>
#include <stdlib.h>

static int known[256], dropped;

__attribute__((noinline)) static void drop(char *text) {
  free(text);
  dropped++;
}

int main(void) {
  int name = getchar(), value = getchar(), digit = getchar();
  char *first = malloc(8), *second = malloc(8);
  if (name == 'f')
    drop(first);
  int count = known[name & 255];
  if (value == 'f')
    drop(second);
  count += known[value & 255];
  if (digit == '1') {
    *first = 1;  //~ heap-use-after-free, also 11, distance 1, bytes 1, tests 2
    *second = 2; //~ heap-use-after-free, also 11, distance 1, bytes 1, tests 2
  }
  count += known[digit & 255];
  drop(first);
  drop(second);
  return count + dropped > 9;
}
