// A table on the stack is as good as a constant one.
// args: 5
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int table[16];
  for (int i = 0; i < 16; i++)
    table[i] = i * 3;
  if (table[argv[1][0] & 15] == 33) //~ symbolic
    puts("33");
  else
    puts("other");
  return 0;
}
