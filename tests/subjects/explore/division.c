// A divisor that is zero on one of many paths.
// explore: --sym-stdin 3
// finds: integer-divide-by-zero
// covers: all
#include <unistd.h>

int main(void) {
  char text[3];
  int divisor = 3;
  if (read(0, text, sizeof text) != sizeof text)
    return 1;
  for (int i = 0; i < 3; i++)
    if (text[i] == 'a' + i)
      divisor--;
  return 100 / divisor; //~ integer-divide-by-zero
}
