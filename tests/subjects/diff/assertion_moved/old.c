#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = argc;
  assert(n < 3);
  puts("fine");
  return 0;
}
