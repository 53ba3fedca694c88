// Figure 4 of the paper: a second branch between the one that matters and the index.
//
// With x = 150 the index has depth 2. The last branch before it, at distance 1, leads only to `return`; the first one, at
// distance 2, leads to the index of Figure 1, which on that way has depth 1.
//
// test: printf '\226\000\000\000' >x && ./subject x
// breaks: printf '\226\000\000\200' >x && ./subject x
#include <fcntl.h>
#include <unistd.h>

int v[100];

void f(int x) {
  if (x > 99) {
    if (x > 199)
      return;
    x = 99;
  }
  v[x] = 0; //~ bounds, distance 2, depth 1, bytes 1
}

int main(int argc, char **argv) {
  int x;
  int file = open(argv[1], O_RDONLY);
  if (file < 0 || read(file, &x, sizeof x) != sizeof x)
    return 1;
  f(x);
  return 0;
}
