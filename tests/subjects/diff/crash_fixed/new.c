// $ program 0 || true
// $ program 4
// difference: crash progression
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  volatile int n = atoi(argv[1]);
  if (n <= 0) //~ shown
    return 0;
  printf("%d\n", 100 / n);
  return 0;
}
