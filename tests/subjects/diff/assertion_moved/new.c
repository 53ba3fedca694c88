// $ program a b 2>/dev/null || true
// $ program
// same
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = argc;
  // A comment moves the assertion, which says where it stands.
  n += 0; //~ silent

  assert(n < 3);
  puts("fine");
  return 0;
}
