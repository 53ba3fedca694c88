// An index that comes from a table may be an index again.
// args: 5
#include <stdio.h>

static const unsigned char first[8] = {3, 1, 2, 0, 3, 2, 1, 0};
static const int second[4] = {10, 20, 30, 40};

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int value = second[first[argv[1][0] & 7]];
  if (value == 40) //~ symbolic
    puts("40");
  else
    puts("other");
  return 0;
}
