// A parser that has read two hundred words writes behind its list of marks: the operation is one of many executions of the
// same block, and on each of them a word could have been a mark.
//
// test: printf '%0200d' 0 | ./subject
// breaks: printf '%0199dm' 0 | ./subject
#include <stdio.h>

static unsigned char marks[16];

int main(void) {
  unsigned words = 0, last = 0;
  for (int c; (c = getchar()) != EOF; words++) {
    unsigned at = last % 4;
    if (c == 'm')
      at = words >= 199 ? words : 0;
    marks[at]++; //~ bounds, distance 1, bytes 1
    last = at;
  }
  return marks[0] == 255;
}
