// A letter is searched from behind: the argument must be as long as the place at which it is found.
// Needed: strrchr as an expression over bytes that may be behind the end, and answers that can be given to a program.
// explore: --sym-arg 3
// exits: 0 1 2 3
#include <string.h>

int main(int count, char **arguments) {
  if (count < 2)
    return 0;
  const char *found = strrchr(arguments[1], '=');
  if (!found)
    return 0;
  if (found == arguments[1])
    return 1;
  if (found == arguments[1] + 1)
    return 2;
  return 3;
}
