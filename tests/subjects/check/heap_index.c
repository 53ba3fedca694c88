// An index into a heap block: a tree of nodes in a file names its parents, and who has none is not the only one to be out of range.
//
// On the way is one branch for each node: whether it is the root. The fourth node's parent may be any byte but 0.
//
// test: printf '\004\000\001\001\003' >tree && test "$(./subject tree)" = 2
// breaks: printf '\004\000\001\001\011' >tree && ./subject tree
#include <stdio.h>
#include <stdlib.h>

struct node {
  unsigned parent; // 0: none
  unsigned depth;
};

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  int count = file ? getc(file) : EOF;
  if (count != 4)
    return 1;
  struct node *nodes = calloc(count, sizeof *nodes);
  unsigned deepest = 0;
  for (int i = 0; i < count; i++) {
    nodes[i].parent = getc(file);
    if (nodes[i].parent != 0)
      nodes[i].depth = nodes[nodes[i].parent - 1].depth + 1; //~ heap-buffer-overflow, distance 0, bytes 1
    if (nodes[i].depth > deepest)
      deepest = nodes[i].depth;
  }
  printf("%u\n", deepest);
  free(nodes);
  fclose(file);
  return 0;
}
