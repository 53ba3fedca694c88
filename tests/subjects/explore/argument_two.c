// Two arguments are looked at from behind: each of them ends where its own text ends.
// Needed: the bytes before the one that is compared are filled in each argument by itself.
// explore: --sym-arg 3 --sym-arg 2
// exits: 0 1 2 3
#include <string.h>

static int ends_in(const char *text, char last) {
  size_t length = strlen(text);
  return length > 0 && text[length - 1] == last;
}

int main(int count, char **arguments) {
  if (count < 3)
    return 0;
  if (ends_in(arguments[1], 'x')) {
    if (ends_in(arguments[2], 'y'))
      return 3;
    return 1;
  }
  if (ends_in(arguments[2], 'y'))
    return 2;
  return 0;
}
