// The test crashes. What is on its path before that is asked about, and so is what lies behind the branch that it took.
//
// test: printf 'c\002' | ./subject || true
#include <stdio.h>

static int counts[8];

int main(void) {
  int command = getchar(), value = getchar();
  if (command == EOF || value == EOF)
    return 1;
  int *volatile nothing = NULL;
  int count = counts[value]; //~ bounds, distance 0, bytes 1
  if (command == 'c') {
    count += counts[command & 7];
    *nothing = value; //~ null, then SEGV, distance 0, bytes 0
  }
  return count + 100 / (value - 7); //~ integer-divide-by-zero, then FPE, distance 1
}
