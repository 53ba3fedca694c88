// Short options are found in arguments that have none, several in one, and with a value.
// args: a
// room: 3
// reaches: x, both, value v
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int x = 0, y = 0, c;
  opterr = 0;
  while ((c = getopt(argc, argv, "xyo:")) != -1) {
    switch (c) {
    case 'x':
      x = 1;
      break;
    case 'y':
      y = 1;
      break;
    case 'o':
      if (optarg[0] == 'v' && optarg[1] == 0)
        puts("value v");
      break;
    }
  }
  if (x)
    puts("x");
  if (x && y)
    puts("both");
  return 0;
}
