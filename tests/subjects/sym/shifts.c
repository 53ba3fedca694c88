// Shifts by a symbolic number are expressions.
// args: 3
#include <stdio.h>
#include <stdint.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  unsigned by = argv[1][0] & 31;
  int32_t number = INT32_MIN >> by;
  if ((1u << by) == 0x200 && number < 0) //~ symbolic
    puts("nine");
  else
    puts("other");
  return 0;
}
