#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
int main(int argc, char **argv) {
  mkdir("out", 0755);
  mkdir("out/deep", 0755);
  FILE *file = fopen("out/deep/result", "w");
  fputs("one\n", file);
  fclose(file);
  puts("written");
  return 0;
}
