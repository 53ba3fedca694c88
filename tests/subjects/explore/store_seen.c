// Which letters there are, in a table with a flag for each; and a copy as long as its text is. All is decided by what was written.
// explore: --sym-arg 4
// covers: lines
// exits: 0 1 2 3
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *s) {
  size_t n = strlen(s) + 1;
  return memcpy(malloc(n), s, n);
}

int main(int argc, char **argv) {
  static char seen[256];
  char *copy = duplicate(argv[1]);
  for (const char *s = copy; *s; s++)
    seen[(unsigned char)*s] = 1;
  int found = (strcmp(copy, "q-z") == 0) + 2 * (seen['x'] && seen['y']);
  free(copy);
  if (found == 1)
    return 1;
  if (found == 2)
    return 2;
  if (seen['0'])
    return 3;
  return 0;
}
