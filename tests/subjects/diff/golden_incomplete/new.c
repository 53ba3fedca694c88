// $ program 5
// difference: output incomplete-fix
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  n = n * 3; //~ shown
  printf("%d\n", n);
  return 0;
}
