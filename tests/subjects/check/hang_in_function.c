// A list that ends in itself has no end.
//
// check: --run-timeout 0.5
// test: test "$(printf 'a' | ./subject)" = 3
// finds: hang, distance 1, bytes 1
#include <stdio.h>

struct node {
  struct node *volatile next;
};

static struct node nodes[3] = {{&nodes[1]}, {&nodes[2]}, {NULL}};
static int seen[256];

static unsigned length(const struct node *node) {
  unsigned length = 0;
  for (; node; node = node->next)
    length++;
  return length;
}

int main(void) {
  int end = getchar();
  if (end == EOF)
    return 1;
  if (end == 'z')
    nodes[2].next = &nodes[0];
  seen[end]++;
  printf("%u\n", length(nodes));
  return 0;
}
