// A library function that nobody models, called through a pointer with numbers that do not depend on the input.
//
// test: printf 'a' | ./subject
// breaks: printf 'x' | ./subject
#include <stdio.h>
#include <string.h>

static void *(*volatile copy)(void *, const void *, size_t) = memmove;

int main(void) {
  char from[32] = "0123456789", to[8];
  size_t n = 8;
  if (getchar() == 'x')
    n = 12;
  copy(to, from, n); //~ stack-buffer-overflow, distance 1, depth 1, bytes 1
  fwrite(to, 1, sizeof to, stdout);
  return 0;
}
