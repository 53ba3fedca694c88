// A step of nothing never gets to the end, with sanitizers or without.
//
// check: --run-timeout 0.5
// test: test "$(printf '\003' | ./subject)" = 34
// finds: hang, distance 1, bytes 1
#include <stdio.h>

int main(void) {
  int step = getchar();
  if (step == EOF)
    return 1;
  unsigned count = 0, table[4] = {0};
  volatile int at = 0;
  if (step == 'z') {
    puts("no step");
    step = 0;
  }
  table[step & 3]++;
  while (at < 100) {
    at += step;
    count++;
  }
  table[count & 3]++;
  printf("%u\n", count);
  return 0;
}
