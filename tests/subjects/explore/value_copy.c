// A copy from a place that is concretized: the value of a run may lie in another object, behind other bounds, where the tree has
// another chain of values. That the run has the value that its input was solved for is seen all the same.
// explore: --sym-stdin 12 --max-runs 80
// ends: runs
// finds: stack-buffer-overflow bounds
#include <string.h>
#include <unistd.h>

int main(void) {
  char values[3] = {1, 2, 3}, copy[3] = {0};
  int at[3];
  if (read(0, at, sizeof at) != sizeof at)
    return 1;
  if (at[0] < 0 || at[0] > 2)
    return 1;
  memcpy(copy + at[0], values + at[1], at[2] & 1);
  return copy[0];
}
