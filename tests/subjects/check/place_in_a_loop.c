// A place that is used often takes more time than --operation-time allows on one path: what was put off is asked when nothing
// cheaper is left.
//
// check: --operation-time 0.000001
// test: ./subject 1234567890x5
// leaves: nothing
#include <stdio.h>
#include <string.h>

static const unsigned char table[16] = {1, 2, 3};

int main(int count, char **words) {
  int sum = 0;
  for (const char *word = words[count - 1]; *word; word++) {
    unsigned at = *word - '0';
    if (*word == 'x')
      at = *++word - '0';
    else if (at > 9)
      return 1;
    sum += table[at]; //~ bounds, distance 0, bytes 1
  }
  return sum == 12345;
}
