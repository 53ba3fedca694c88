// Figure 1 of the paper: an index that is bounded above but not below. The test stays inside the bounds.
//
// `if (x > 99)` can go either way, and is the only such branch before the index: depth 1. The way of the test itself leads
// to the defect with another x: distance 0. The highest byte alone makes x negative.
//
// test: printf '\062\000\000\000' >x && ./subject x
// breaks: printf '\062\000\000\200' >x && ./subject x
#include <fcntl.h>
#include <unistd.h>

int v[100];

void f(int x) {
  if (x > 99)
    x = 99;
  v[x] = 0; //~ bounds, distance 0, depth 1, bytes 1
}

int main(int argc, char **argv) {
  int x;
  int file = open(argv[1], O_RDONLY);
  if (file < 0 || read(file, &x, sizeof x) != sizeof x)
    return 1;
  f(x);
  return 0;
}
