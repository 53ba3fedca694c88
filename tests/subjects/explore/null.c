// A pointer that stays NULL on some paths.
// explore: --sym-stdin 2
// finds: null
// covers: all
#include <unistd.h>

int main(void) {
  int number = 5, *pointer = 0;
  char text[2];
  if (read(0, text, sizeof text) != sizeof text)
    return 1;
  if (text[0] == 'n')
    pointer = &number;
  if (text[1] == 'o')
    return *pointer; //~ null
  return 0;
}
