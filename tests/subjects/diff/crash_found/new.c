// $ program 12
// diff: --time 60
// difference: crash regression
// changed: argv[1]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  if (n == 13)
    abort(); //~ shown
  printf("%d\n", n);
  return 0;
}
