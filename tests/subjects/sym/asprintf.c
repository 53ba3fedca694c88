// What asprintf writes to a new block keeps its meaning.
// args: q
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char *text = NULL;
  if (asprintf(&text, "%c%02x", argv[1][0], argv[1][0]) == 3 && text[2] == '5') //~ symbolic
    puts("five");
  else
    puts("other");
  free(text);
  return 0;
}
