#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 2 || strlen(argv[1]) != 3)
    return 0;
  if (argv[1][0] == '1' && argv[1][2] == '7')
    return 4;
  return 0;
}
