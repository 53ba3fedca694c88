// $ program a
// masked: file
// difference: file unclassified
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>
int main(int argc, char **argv) {
  char name[] = "tmp.XXXXXX";
  close(mkstemp(name));
  FILE *file = fopen("result", "w");
  fputs("two\n", file); //~ shown
  fclose(file);
  return 0;
}
