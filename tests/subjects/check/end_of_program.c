// The end of the program is a position: what decides how it ends is at distance 1 from it, although no operation follows.
//
// The branch is the last one of the run. On its other side a division can fail; on the test's own side nothing comes.
//
// test: printf '\001a' | ./subject
// breaks: printf '\000x' | ./subject
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int divisor = getchar();
  int kind = getchar();
  if (divisor == EOF || kind == EOF)
    return 1;
  if (kind == 'x')
    return 100 / divisor; //~ integer-divide-by-zero, distance 1, bytes 2
  _exit(0);
}
