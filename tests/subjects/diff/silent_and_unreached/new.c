// $ program 3
// same
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int twice = n * 2; //~ silent
  if (argc > 5)
    puts("a lot"); //~ unreached
  printf("%d\n", twice);
  return 0;
}
