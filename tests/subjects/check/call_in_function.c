// The length comes from a function with a branch of its own, called in the same block as the copy: the copy is behind that
// branch.
//
// test: printf 'a' | ./subject
// breaks: printf 'x' | ./subject
#include <stdio.h>
#include <string.h>

static char text[64];

__attribute__((noinline)) static size_t length(int c) {
  if (c == 'x')
    return 65;
  return 3;
}

int main(void) {
  int c = getchar();
  memset(text, c, 1);
  size_t n = length(c);
  memset(text, '-', n); //~ global-buffer-overflow, distance 1, depth 1, bytes 1
  fwrite(text, 1, sizeof text, stdout);
  return 0;
}
