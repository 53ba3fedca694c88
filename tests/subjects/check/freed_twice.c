// Two objects are freed too early at different places, then used or freed again: two findings with two places each.
//
// test: printf 'ab0' | ./subject
// test: printf 'ab1.' | ./subject
#include <stdio.h>
#include <stdlib.h>

static int known[256];

int main(void) {
  int name = getchar(), value = getchar(), digit = getchar();
  char *first = malloc(8);
  int *second = malloc(sizeof *second);
  if (name == 'f')
    free(first);
  int count = known[name & 255];
  if (value == 'f')
    free(second);
  count += known[value & 255];
  if (digit == '1') {
    *first = 1;  //~ heap-use-after-free, also 25, distance 1, bytes 1, tests 2
    *second = 2; //~ heap-use-after-free, also 26, distance 1, bytes 1, tests 2
  }
  count += known[digit & 255];
  free(first);
  free(second);
  return count;
}
