#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  volatile int n = atoi(argv[1]);
  while (n > 1)
    n -= 2;
  puts("done");
  return 0;
}
