#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  if (n > 10)
    printf("large %d\n", n);
  else
    puts("small");
  return 0;
}
