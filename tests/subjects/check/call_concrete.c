// A library call with arguments that do not depend on the input is an operation: its length does on the other side of the branch
// before it. Nothing behind it can fail.
//
// test: printf 'a' | ./subject
// breaks: printf 'x' | ./subject
#include <stdio.h>
#include <string.h>

int main(void) {
  static const char source[128] = "text";
  char to[16] = "";
  int c = getchar();
  size_t n = 4;
  if (c == 'x')
    n = 100;
  memcpy(to, source, n); //~ stack-buffer-overflow, distance 1, depth 1, bytes 1
  fwrite(to, 1, sizeof to, stdout);
  return 0;
}
