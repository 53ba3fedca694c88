#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  char *fs = argv[1];
  int v = 0, c, init = 1;

  while (true) {
    if (isdigit(*fs)) {
      v = *fs - '0';

    } else if (*fs == '-') {
      c = v;
      init = c ? v : 1;
    } else if (*fs == '\0') {
      assert(init != 0);
      break;
    }
    fs++;
  }
  return 0;
}
