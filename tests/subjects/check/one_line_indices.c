// Two tables on one line have an index of the input each: two findings, whichever of both is seen first.
//
// test: test "$(printf '\001\002' | ./subject)" = 0
#include <stdio.h>

static int rows[8], columns[8];

int main(void) {
  int row = getchar(), column = getchar();
  if (row == EOF || column == EOF)
    return 1;
  printf("%d\n", rows[row] + columns[column]); //~ bounds, column 18, distance 0, bytes 1; bounds, column 30, distance 0, bytes 1
  return 0;
}
