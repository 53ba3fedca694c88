// A copy of a string as gnulib makes it: as many bytes as it has, in a block of that size. Its end is nobody's branch.
// args: ab
// room: 6
// reaches: third, longest, empty
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *duplicate(const void *p, size_t n) { return memcpy(malloc(n), p, n); }

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char *copy = duplicate(argv[1], strlen(argv[1]) + 1);
  if (copy[0] == 0)
    return puts("empty") < 0;
  if (strcmp(copy, "abx") == 0)
    puts("third");
  if (strlen(copy) == 6 && copy[5] == '!')
    puts("longest");
  free(copy);
  return 0;
}
