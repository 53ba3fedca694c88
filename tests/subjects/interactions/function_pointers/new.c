// A call through a table reaches the functions of the table, and not others of their type.
// start -> which
#include <stdio.h>

static int twice(int x) {
  return x * 3; //~ twice: change -> result
}

static int negated(int x) {
  return -x - 1; //~ negated: change -> result
}

static int unused(int x) {
  return x + 1; //~ unused: change ->
}

static int (*const table[])(int) = {twice, negated};
int (*other)(int) = unused;

int main(int argc, char **argv) {
  int which = argc > 3; //~ which: change -> twice, negated
  int result = table[which](argc); //~ result: interaction -> output
  printf("%d\n", result);
  return 0;
}
