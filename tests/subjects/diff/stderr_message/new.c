// $ program
// $ program x
// difference: stderr unclassified
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    fprintf(stderr, "usage: program NAME\n"); //~ shown
  puts("done");
  return 0;
}
