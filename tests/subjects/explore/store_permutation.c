// A table of the input's own order, with which the rest of the input is decoded: the letter and its place are solved for together.
// stdin: abcdAB
// paths: 4
// exits: 0 1 2
#include <unistd.h>

int main(void) {
  unsigned char s[6], place[256] = {0};
  if (read(0, s, sizeof s) < 0)
    return 4;
  for (int i = 0; i < 4; i++)
    place[s[i]] = i + 1;
  if (place[s[4]] == 3)
    return 1;
  if (place[s[5]] == 2 && place[s[4]] == 4)
    return 2;
  return 0;
}
