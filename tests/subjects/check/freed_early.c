// One free too early: what is read, written and freed then is one finding with three places, and three tests are near it. Tests of
// different length have nothing in common.
//
// test: printf 'ab' | ./subject
// test: printf 'ar.' | ./subject
// test: printf 'aw..' | ./subject
#include <stdio.h>
#include <stdlib.h>

static int known[256];

int main(void) {
  int command = getchar(), use = getchar();
  char *text = malloc(8);
  text[0] = 'x';
  if (command == 'f')
    free(text);
  int count = known[command & 255];
  if (use == 'r')
    count += text[0]; //~ heap-use-after-free, also 22, also 24, distance 1, bytes 1, tests 3
  if (use == 'w')
    text[0] = 'y';
  count += known[use & 255];
  free(text);
  return count > 'y';
}
