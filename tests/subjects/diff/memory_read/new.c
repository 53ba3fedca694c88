// $ program 1
// $ program 4
// difference: memory regression
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int *table = calloc(4, sizeof *table);
  volatile int n = atoi(argv[1]);
  if (n > 4) //~ shown
    n = 3;
  int value = table[n];
  puts(value == 77 ? "odd" : "even");
  free(table);
  return 0;
}
