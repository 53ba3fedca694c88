// $ program 5
// $ program 7
// diff: --only-given --run-timeout 0.5
// difference: hang regression
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  volatile int n = atoi(argv[1]);
  while (n != 1 || argv[1][0] == '7') //~ shown
    n -= 2;
  puts("done");
  return 0;
}
