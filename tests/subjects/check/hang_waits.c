// A program that waits for what never comes does not end either.
//
// check: --run-timeout 0.5
// test: printf 'go' | ./subject
// finds: hang, distance 1, bytes 1
#include <stdio.h>
#include <unistd.h>

static int seen[256], done[256];

int main(void) {
  int command = getchar();
  if (command == EOF)
    return 1;
  int count = seen[command];
  if (command == 'w')
    sleep(1000);
  return count + done[command];
}
