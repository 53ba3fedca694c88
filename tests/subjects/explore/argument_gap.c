// The last byte of an argument decides: all bytes before it must be something, since an argument ends at its first zero.
// Needed: an answer that has a byte behind a zero is asked for again, with nothing behind the end.
// explore: --sym-arg 4
// exits: 0 1 2
#include <string.h>

int main(int count, char **arguments) {
  if (count < 2 || strlen(arguments[1]) != 4)
    return 0;
  if (arguments[1][3] == 'z')
    return 2;
  return 1;
}
