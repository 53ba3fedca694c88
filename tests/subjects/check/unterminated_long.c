// A block of three hundred bytes that all depend on the input: the only NUL is its last byte.
//
// test: printf '%0299d\000' 0 | ./subject
// breaks: printf '%0300d' 0 | ./subject
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *text = malloc(300);
  if (!text || read(0, text, 300) != 300)
    return 1;
  size_t n = strlen(text); //~ heap-buffer-overflow, distance 0, bytes 1
  printf("%zu\n", n);
  free(text);
  return 0;
}
