// An argument is no block of the allocator, although it lies in one here.
// args: x
// fine: y
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argc;
  if (argv[1][0] == 'x')
    free(argv[1]); //~ attempting free on address which was not malloc()-ed
  argv[1] = malloc(1);
  free(argv[1]);
  return 0;
}
