#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "line %d: an argument is missing\n", __LINE__);
    return __LINE__;
  }
  printf("(%d) %d\n", __LINE__, atoi(argv[1]));
  return 0;
}
