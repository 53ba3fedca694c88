#include <time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  struct timespec now; clock_gettime(CLOCK_REALTIME, &now); printf("now %ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
  int unused = argc;
  puts(unused > 2 ? "many" : "few");
  return 0;
}
