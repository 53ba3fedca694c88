// More input than a trace holds: what is behind its end is not tried, and that is said.
// explore: --max-nodes 8 --sym-arg 1 --sym-stdin 40
// leaves: full
// exits: 0 3
#include <unistd.h>

int main(int count, char **words) {
  if (count > 1 && words[1][0] == 'y')
    return 3;
  char text[40] = {0};
  if (read(0, text, sizeof text) < 40)
    return 1;
  return text[39] == 'x' ? 2 : 0;
}
