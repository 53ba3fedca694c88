// The same call in a loop, a hundred times: only the last one can be given a length that is too large.
//
// test: printf '%0100d' 0 | ./subject
// breaks: printf '%099dx' 0 | ./subject
#include <stdio.h>
#include <string.h>

static char line[80];

int main(void) {
  int c;
  for (size_t number = 0; (c = getchar()) != EOF; number++) {
    size_t width = 40;
    switch (c) {
    case 'w':
      width = 80;
      break;
    case 'x':
      width = number < 99 ? 1 : number;
      break;
    }
    memset(line, '-', width); //~ global-buffer-overflow, distance 1, bytes 1
  }
  fwrite(line, 1, sizeof line, stdout);
  return 0;
}
