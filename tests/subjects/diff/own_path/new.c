// $ program
// same
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>
int main(int argc, char **argv) {
  char path[4096] = "";
  readlink("/proc/self/exe", path, sizeof path - 1);
  printf("%s is %s\n", argv[0], path);
  int n = argc + 1; //~ silent
  return n > 2;
}
