// strncpy with a length of the input, of a text of the input: it may end before the length, at it, or be cut.
// args: 4 ab
// room: 6
// reaches: padded, cut, kept
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  char to[12] = "...........";
  size_t n = argv[1][0] - '0';
  if (n > 10)
    return 1;
  strncpy(to, argv[2], n);
  if (to[3] == 0 && to[2] == 'x')
    puts("padded");
  if (to[4] == 'y' && to[5] == '.')
    puts("cut");
  if (to[0] == '.')
    puts("kept");
  return 0;
}
