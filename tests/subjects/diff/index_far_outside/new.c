// tcas versions 7 and 16 to 19: the test's index is far outside of the table, so its read goes to another variable. The table itself is
// where the address points to but for the index: that is asked for, and then for the one entry that differs.
// $ printf '\001\0\0\0\001\0\0\0\174\001\0\0' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

static int limits[4];
int distances[1000];

static void initialize(void) {
  limits[0] = 400;
  limits[1] = 550; //~ shown
  limits[2] = 640;
  limits[3] = 740;
}

int main(void) {
  int in[3];
  if (fread(in, sizeof *in, 3, stdin) != 3)
    return 2;
  initialize();
  if (in[0] > 5)
    puts(in[1] < limits[in[2]] ? "near" : "far");
  return distances[0];
}
