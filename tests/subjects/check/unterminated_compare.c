// strcmp goes behind the end of a field only if it is the same as the name up to there, strncmp only as far as it is told.
//
// The block has four bytes, and the name four and a NUL: with the same four, strcmp reads the fifth. strncmp is told to look at
// four bytes, and does.
//
// test: printf 'abc\000' | ./subject
// breaks: printf 'abcd' | ./subject
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *field = malloc(4);
  if (!field || read(0, field, 4) != 4)
    return 1;
  int same = strncmp(field, "wxyz", 4) == 0;
  same += strnlen(field, 4) == 2;
  same += strcmp(field, "xyz") == 0;
  same += strcmp(field, "abcd") == 0; //~ heap-buffer-overflow, distance 0, bytes 1
  free(field);
  return same > 1;
}
