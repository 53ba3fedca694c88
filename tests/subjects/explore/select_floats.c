// No expression stands for a choice between two fractions, so it is a path.
// explore: --sym-stdin 1 --all-paths
// paths: 3
// exits: 1 2 3
#include <stdio.h>

int main(void) {
  int c = getchar();
  if (c == EOF)
    return 1;
  double factor = c == 'd' ? 2.5 : 3.5;
  return (int)factor;
}
