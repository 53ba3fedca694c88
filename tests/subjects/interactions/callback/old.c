#include <stdio.h>
#include <stdlib.h>

static int sign = 1;

static int compare(const void *a, const void *b) {
  return (*(const int *)a - *(const int *)b) * sign;
}

int main(int argc, char **argv) {
  int all[3] = {3, 1, 2};
  sign = argc;
  qsort(all, 3, sizeof all[0], compare);
  int least = all[0];
  printf("%d\n", least);
  return 0;
}
