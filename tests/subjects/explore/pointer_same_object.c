// Pointers from a table that all lead to one array: which one it is is no decision, what is read there is.
// explore: --sym-stdin 1 --all-paths
// paths: 3
// exits: 1 2 3
#include <unistd.h>

static const short numbers[6] = {42, 1, 42, 42, 7, 42};

int main(void) {
  const short *const places[4] = {numbers + 3, numbers + 0, numbers + 5, numbers + 4};
  unsigned char which;
  if (read(0, &which, 1) != 1)
    return 1;
  if (*places[which & 3] == 42)
    return 2;
  return 3;
}
