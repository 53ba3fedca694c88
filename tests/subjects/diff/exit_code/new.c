// $ program x || true
// difference: exit unclassified
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc > 1)
    return 2; //~ shown
  return 0;
}
