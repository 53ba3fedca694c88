// The test reads behind a block. Behind that an entry of a table is nothing, and one of the commands gives up: both are found.
//
// test: printf '\003\002a' | ./subject
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[4] = {"north", "east", "south", NULL};

int main(void) {
  unsigned char n[3];
  if (fread(n, 1, sizeof n, stdin) != sizeof n || n[1] > 3)
    return 1;
  char *copy = malloc(3);
  memcpy(copy, n, 3);
  int sum = copy[n[0]]; //~ heap-buffer-overflow, distance 0, bytes 0
  sum += *names[n[1]]; //~ null, behind heap-buffer-overflow, then SEGV, distance 0, bytes 1
  if (n[2] == 'q')
    abort(); //~ abort, behind heap-buffer-overflow, distance 1, bytes 1
  free(copy);
  return sum == 3;
}
