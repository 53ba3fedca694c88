// Whether a string has an end is asked where a library function reads it, unless some NUL in its object is sure.
//
// stdin: abc\0defg\0ij
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *open = malloc(4), *closed = malloc(5), *last = malloc(3);
  if (!open || !closed || !last || read(0, open, 4) != 4 || read(0, closed, 4) != 4 || read(0, last, 3) != 3)
    return 1;
  closed[4] = 0;
  size_t n = strlen(open); //~ terminator
  n += strlen(closed); //~ no terminator
  n += strnlen(last, 3); //~ no terminator
  if (n == 9) //~ symbolic
    puts("nine");
  free(open), free(closed), free(last);
  return 0;
}
