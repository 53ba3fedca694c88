#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>
int main(int argc, char **argv) {
  char name[] = "tmp.XXXXXX";
  close(mkstemp(name));
  FILE *file = fopen("result", "w");
  fputs("one\n", file);
  fclose(file);
  return 0;
}
