#include <stdio.h>

static int twice(int x) {
  return x * 2;
}

static int negated(int x) {
  return -x;
}

static int unused(int x) {
  return x;
}

static int (*const table[])(int) = {twice, negated};
int (*other)(int) = unused;

int main(int argc, char **argv) {
  int which = argc > 2;
  int result = table[which](argc);
  printf("%d\n", result);
  return 0;
}
