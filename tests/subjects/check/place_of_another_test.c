// The time that one test spends on a place is not taken from another test that comes there.
//
// check: --operation-time 0.000001 --jobs 1
// test: ./subject a5
// test: ./subject b5
// leaves: nothing
#include <stdio.h>

static const unsigned char table[16] = {1, 2, 3};

static int get(unsigned at) {
  return table[at]; //~ bounds, distance 0, bytes 1
}

int main(int count, char **words) {
  if (count < 2)
    return 1;
  unsigned at = words[1][1] - '0';
  if (words[1][0] == 'a')
    return at < 16 ? get(at) > 9 : 0;
  return get(at) > 9;
}
