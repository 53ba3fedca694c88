// The least number divided by -1 does not fit: of a signed division, what is divided counts too.
// args: 84 4
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;

  int n = argv[1][0] - '0', by = argv[2][0] - '0';
  volatile int minus = -1;
  int a = n / by;              //~ signed division
  int b = n / -1;              //~ signed division
  int c = n % minus;           //~ signed division
  int d = n / 3;               //~ no division
  unsigned e = (unsigned)n / 3; //~ no division
  if (a + b + c + d == (int)e) //~ symbolic
    puts("equal");
  else
    puts("other");
  return 0;
}
