// The running example of the paper (its Figure 5): the changes in lines 5 and 7 of the paper come together in its line 8.
// start -> lhs
#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  char *fs = argv[1];
  int v = 0, c, init = 1;
  bool lhs = false; //~ lhs: change -> five, seven, output
  while (true) {
    if (isdigit(*fs)) {
      v = *fs - '0';
      lhs = true; //~ five: change -> five, seven, output
    } else if (*fs == '-') {
      c = lhs; //~ seven: change -> eight
      init = c ? v : 1; //~ eight: interaction -> five, seven, output
    } else if (*fs == '\0') {
      assert(init != 0);
      break;
    }
    fs++;
  }
  return 0;
}
