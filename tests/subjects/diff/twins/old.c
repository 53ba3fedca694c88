#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n > 10)
    printf("large %d\n", n);
  return 0;
}
