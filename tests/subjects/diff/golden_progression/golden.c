#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  n = n + n + n;
  printf("%d\n", n);
  return 0;
}
