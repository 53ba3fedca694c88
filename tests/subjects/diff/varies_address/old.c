#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  printf("at %p and %p\n", (void *)argv, malloc(10));
  int unused = argc;
  puts(unused > 2 ? "many" : "few");
  return 0;
}
