// $ program a
// masked: stdout
// same
#include <sys/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  unsigned r; getrandom(&r, sizeof r, 0); for (unsigned i = 0; i < 1 + r % 3; i++) printf("r%u ", r >> i); puts("end");
  int unused = argc - 1; //~ silent
  puts(unused > 2 ? "many" : "few");
  return 0;
}
