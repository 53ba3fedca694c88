// An assertion about what only other input can make wrong.
//
// test: printf 'ab' | ./subject
// breaks: printf 'cb' | ./subject
#include <assert.h>
#include <stdio.h>

struct range {
  int from, to;
};

static int width(const struct range *range) {
  assert(range->from <= range->to); //~ assertion-failure, distance 1, depth 1, bytes 1
  return range->to - range->from;
}

int main(void) {
  struct range range = {getchar(), getchar()};
  if (range.from == EOF || range.to == EOF)
    return 1;
  printf("%d\n", width(&range));
  return 0;
}
