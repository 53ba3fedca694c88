// A library function calls back, any number of times, and what it is told decides about what it does.
// start -> sign
#include <stdio.h>
#include <stdlib.h>

static int sign = 1;

static int compare(const void *a, const void *b) {
  return (*(const int *)b - *(const int *)a) * sign; //~ compare: change -> compare, output
}

int main(int argc, char **argv) {
  int all[3] = {3, 1, 2};
  sign = -argc; //~ sign: change -> sort
  qsort(all, 3, sizeof all[0], compare); //~ sort: interaction -> compare, output
  int least = all[0];
  printf("%d\n", least);
  return 0;
}
