// $ program a
// masked: stdout
// difference: output unclassified
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>
int main(int argc, char **argv) {
  printf("process %d: ", (int)getpid());
  puts("two"); //~ shown
  puts("end");
  return 0;
}
