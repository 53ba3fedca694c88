// A number in a field of four bytes: if all of them are digits, atoi reads a fifth.
//
// test: test "$(printf '12 z' | ./subject)" = 12
// breaks: printf '1234' | ./subject
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char *digits = malloc(4);
  if (!digits || read(0, digits, 4) != 4)
    return 1;
  int number = atoi(digits); //~ heap-buffer-overflow, distance 0, bytes 2
  printf("%d\n", number);
  free(digits);
  return 0;
}
