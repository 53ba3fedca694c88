// The price of a route between two ports is rounded down, which hides that one end costs a third more now, if only one does; of the other end
// a third more was taken all along. Changes meet where both are added, without a branch. Behind that each bit of the price is a decision,
// which the path of an input holds on to. A query that holds both paths only up to where the changes meet finds two reserved ports at once.
// $ printf 'abcd' | program
// diff: --first --time 60 --ignore sanitizers --search interactions
// difference: output unclassified
#include <stdio.h>

enum { RESERVED = 21840, COUNT = 8 };

static unsigned thirds[2];

static unsigned is_reserved(unsigned port) {
  return port - RESERVED < COUNT; //~ shown
}

static void depart(unsigned port) {
  thirds[0] = 3 * port + is_reserved(port); //~ shown
}

static void arrive(unsigned port) {
  thirds[1] = 3 * port + 1 + is_reserved(port); //~ shown
}

int main(void) {
  unsigned char in[4];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  depart(in[0] << 8 | in[1]);
  arrive(in[2] << 8 | in[3]);
  unsigned price = (thirds[0] + thirds[1]) / 3;
  // How long runs of equal bits are.
  int length = 0, last = 0;
  for (int bit = 16; bit >= 0; bit--) {
    int now = 0;
    if (price >> bit & 1)
      now = 1;
    if (now != last) {
      printf("%d ", length);
      length = 0;
    }
    last = now;
    length++;
  }
  printf("%d\n", length);
  return 0;
}
