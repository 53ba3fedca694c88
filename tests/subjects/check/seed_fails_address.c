// The test reads behind a block, and goes on: what else can fail behind that is found too.
//
// test: printf '\003\002\003' | ./subject
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int table[16];

int main(void) {
  unsigned char n[3];
  if (fread(n, 1, sizeof n, stdin) != sizeof n)
    return 1;
  char *copy = malloc(3);
  memcpy(copy, n, 3);
  int last = copy[n[0]]; //~ heap-buffer-overflow, distance 0, bytes 0
  table[n[1]]++; //~ bounds, behind heap-buffer-overflow, distance 0, bytes 1
  free(copy);
  printf("%d\n", last);
  return 100 / n[2] == 3; //~ integer-divide-by-zero, behind heap-buffer-overflow, then FPE, distance 0, bytes 1
}
