// Standard input is symbolic, read without a stream.
// stdin: yes\n
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char answer[8];
  ssize_t n = read(0, answer, sizeof answer);
  if (n > 0 && answer[0] == 'n') //~ symbolic
    puts("no");
  else
    puts("yes");
  return 0;
}
