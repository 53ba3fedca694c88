// Lines are looked for from the end of the one before: what is left depends on the same as where it is.
//
// test: test "$(printf 'one\ntwo\nthree\n' | ./subject)" = '3 lines'
// test: test "$(printf 'one\n\nthree' | ./subject)" = '2 lines'
// finds: nothing
// asks: bounds 10
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

int main(void) {
  char *text = malloc(MOST);
  size_t size = text ? fread(text, 1, MOST, stdin) : 0;
  char *exact = size ? realloc(text, size) : NULL;
  if (!exact)
    return 1;
  int lines = 0;
  const char *end = exact + size;
  for (const char *line = exact; (line = memchr(line, '\n', end - line)); line++)
    lines++;
  printf("%d lines\n", lines);
  free(exact);
  return 0;
}
