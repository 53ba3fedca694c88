// Figure 3 of the paper: the program of Figure 1, with a test on the other side of its branch.
//
// There x becomes 99 and the index is no longer symbolic. The branch is the last one before the index, so it is at distance 1
// from it. On its other side the index is behind one branch, as before: depth 1.
//
// test: printf '\144\000\000\000' >x && ./subject x
// breaks: printf '\144\000\000\200' >x && ./subject x
#include <fcntl.h>
#include <unistd.h>

int v[100];

void f(int x) {
  if (x > 99)
    x = 99;
  v[x] = 0; //~ bounds, distance 1, depth 1, bytes 1
}

int main(int argc, char **argv) {
  int x;
  int file = open(argv[1], O_RDONLY);
  if (file < 0 || read(file, &x, sizeof x) != sizeof x)
    return 1;
  f(x);
  return 0;
}
