#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) {
    int last = 299999;
    puts(i == last ? "the end" : "a line of some length");
  }
  return 0;
}
