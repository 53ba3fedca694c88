// The test itself goes wrong where only the sanitizers see it: a text of eight bytes has no room for its end.
//
// test: ./subject abcdefgh
// breaks: ./subject abcdefgh
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  size_t length = strlen(argv[1]);
  char *copy = malloc(length);
  memcpy(copy, argv[1], length);
  copy[length] = '\0'; //~ heap-buffer-overflow, distance 0, bytes 0
  printf("%c\n", copy[0]);
  free(copy);
  return 0;
}
