#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int twice = n + n;
  if (argc > 5)
    puts("many");
  printf("%d\n", twice);
  return 0;
}
