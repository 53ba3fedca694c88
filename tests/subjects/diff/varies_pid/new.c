// $ program a
// masked: stdout
// same
#include <unistd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  printf("process %6d of %d\n", (int)getpid(), (int)getppid());
  int unused = argc - 1; //~ silent
  puts(unused > 2 ? "many" : "few");
  return 0;
}
