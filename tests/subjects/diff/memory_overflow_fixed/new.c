// $ program 2147483647
// $ program 1
// difference: memory progression
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  long n = atoi(argv[1]); //~ shown
  volatile long unused = (long)(n + 1); //~ shown
  puts(unused == 5 ? "five" : "other");
  return 0;
}
