// The test writes behind a variable on the stack, in a loop: one report, and what is behind the loop is asked about.
//
// test: printf '\005\002' | ./subject
#include <stdio.h>

int main(void) {
  volatile char room[4];
  unsigned counts[8] = {0};
  int length = getchar(), value = getchar();
  if (length == EOF || value == EOF || length > 6)
    return 1;
  volatile char *to = room;
  for (int i = 0; i < length; i++)
    to[i] = 1; //~ stack-buffer-overflow, distance 0, bytes 0
  counts[value]++; //~ bounds, behind stack-buffer-overflow, distance 0, bytes 1
  return counts[2] != 1;
}
