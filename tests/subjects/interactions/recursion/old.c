#include <stdio.h>

static int sum(int n, int step) {
  if (n <= 0)
    return 0;
  int rest = sum(n - step, step);
  return rest + n;
}

int main(int argc, char **argv) {
  int n = argc;
  int all = sum(n, 1);
  printf("%d\n", all);
  return 0;
}
