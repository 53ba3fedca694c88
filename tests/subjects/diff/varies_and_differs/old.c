#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>
int main(int argc, char **argv) {
  printf("process %d: ", (int)getpid());
  puts("one");
  puts("end");
  return 0;
}
