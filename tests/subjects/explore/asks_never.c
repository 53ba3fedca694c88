// Operations that cannot fail, since a branch before them says so: asked, and nothing found.
// explore: --sym-stdin 3
// finds:
// covers: all
#include <unistd.h>

static int table[10];

int main(void) {
  unsigned char c[3];
  if (read(0, c, 3) != 3)
    return 1;
  if (c[0] >= 10 || c[1] == c[2])
    return 2;
  table[c[0]] = 5;
  return table[c[0]] / (c[1] - c[2]) == 1;
}
