#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  int first = fgetc(file);
  fclose(file);
  if (first == 'y')
    unlink(argv[1]);
  return 0;
}
