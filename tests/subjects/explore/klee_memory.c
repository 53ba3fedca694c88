// What KLEE's functions say of memory: whether an access is within its object, and how large that is.
// explore: --ktest
// finds: stack-buffer-overflow
// exits: 0 4
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char buffer[4], which = 0;
  klee_make_symbolic(&which, sizeof which, "which");
  klee_check_memory_access(buffer, 4);
  if (which == 'a')
    klee_check_memory_access(buffer, 5); //~ stack-buffer-overflow
  if (which == 'm') {
    char *block = malloc(24);
    int fits = klee_get_obj_size(block) == 24;
    free(block);
    return fits ? 4 : 5;
  }
  return 0;
}
