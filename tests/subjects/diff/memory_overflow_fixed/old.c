#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  volatile long unused = (long)(n + 1);
  puts(unused == 5 ? "five" : "other");
  return 0;
}
