// $ program 100
// diff: --time 60
// difference: exit unclassified
// changed: argv[1]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 2 || strlen(argv[1]) != 3)
    return 0;
  if (argv[1][0] == '1' && argv[1][2] == '7')
    return 5; //~ shown
  return 0;
}
