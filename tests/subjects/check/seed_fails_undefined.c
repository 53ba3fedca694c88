// The test uses an index behind a table that is a member, which only UndefinedBehaviorSanitizer sees. With another index it
// leaves the whole object, and so does the next one.
//
// test: printf '\005\002' | ./subject
#include <stdio.h>

static struct {
  int table[4];
  int rest[12];
} all;

static int counts[8];

int main(void) {
  int first = getchar(), second = getchar();
  if (first == EOF || second == EOF)
    return 1;
  all.table[first]++; //~ bounds, distance 0, bytes 0
  counts[second]++; //~ bounds, distance 0, bytes 1
  return 0;
}
