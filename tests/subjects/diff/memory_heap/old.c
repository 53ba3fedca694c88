#include <stdio.h>
#include <stdlib.h>

struct node {
  unsigned key, value;
  struct node *next;
};

int main(void) {
  unsigned in[2];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  struct node *node = malloc(sizeof *node);
  node->key = in[0];
  node->value = in[0] % 1000;
  node->next = NULL;
  for (struct node *at = node; at; at = at->next)
    if (at->key == in[1])
      printf("%u\n", at->value);
  free(node);
  return 0;
}
