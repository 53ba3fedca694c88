// More paths than anybody tries.
// explore: --sym-stdin 60
#include <unistd.h>

int main(void) {
  unsigned char text[60];
  int ones = 0;
  ssize_t size = read(0, text, sizeof text);
  for (int i = 0; i < size; i++)
    if (text[i] & 1)
      ones++;
  return ones;
}
