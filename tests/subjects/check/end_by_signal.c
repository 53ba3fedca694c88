// A program that ends itself by a signal has its end there: the branch before it is at distance 1.
//
// test: printf '\001a' | ./subject; test $? = 143
// breaks: printf '\000x' | ./subject
#include <signal.h>
#include <stdio.h>

int main(void) {
  int divisor = getchar();
  int kind = getchar();
  if (divisor == EOF || kind == EOF)
    return 1;
  if (kind == 'x')
    return 100 / divisor; //~ integer-divide-by-zero, distance 1, bytes 2
  raise(SIGTERM);
  return 0;
}
