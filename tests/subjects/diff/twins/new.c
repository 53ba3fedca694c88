// $ program 11
// $ program 12
// $ program 13
// $ program 14
// difference: output unclassified
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n > 10)
    printf("big %d\n", n); //~ shown
  return 0;
}
