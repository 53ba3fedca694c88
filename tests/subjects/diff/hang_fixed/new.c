// $ program 4 & sleep 0.1; kill $!
// $ program 5
// diff: --only-given --run-timeout 0.5
// difference: hang progression
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  volatile int n = atoi(argv[1]);
  while (n > 1) //~ shown
    n -= 2;
  puts("done");
  return 0;
}
