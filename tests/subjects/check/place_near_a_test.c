// On a path near a test too, what took too long is asked when nothing cheaper is left.
//
// check: --operation-time 0.000001
// test: ./subject a45
// leaves: nothing
#include <stdio.h>

static const unsigned char table[16] = {1, 2, 3};

int main(int count, char **words) {
  unsigned first = words[1][1] - '0', second = words[1][2] - '0', sum = 0;
  unsigned at[2] = {first, second};
  if (count < 2 || words[1][0] != 'b')
    return 0;
  if (first > 9)
    return 1;
  for (int i = 0; i < 2; i++)
    sum += table[at[i]]; //~ bounds, distance 1
  return sum == 12345;
}
