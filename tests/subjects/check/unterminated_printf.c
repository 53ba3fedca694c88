// printf writes strings up to their ends, or as far as it is told.
//
// test: printf 'abc\000def\000ghi\000' | ./subject
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *field(void) {
  char *text = malloc(4);
  if (!text || read(0, text, 4) != 4)
    exit(1);
  return text;
}

int main(void) {
  char *a = field(), *b = field(), *c = field(), line[16];
  printf("%5d %s %c\n", 1, a, 'x'); //~ heap-buffer-overflow, distance 0, bytes 1
  printf("%.*s|%.4s\n", 4, b, b);
  int n = snprintf(line, sizeof line, "<%s>", c); //~ heap-buffer-overflow, distance 0, bytes 1
  free(a), free(b), free(c);
  return n < 0;
}
