// A library function calls back, any number of times, and what it is told decides about what it writes.
// start -> sign
#include <stdio.h>
#include <stdlib.h>

static int sign = 1;

static int compare(const void *a, const void *b) {
  return (*(const int *)b - *(const int *)a) * sign; //~ compare: change -> compare, least, output
}

int main(int argc, char **argv) {
  int all[3] = {3, 1, 2};
  sign = -argc; //~ sign: change -> compare, least, output
  qsort(all, 3, sizeof all[0], compare);
  int least = all[0]; //~ least: interaction -> output
  printf("%d\n", least);
  return 0;
}
