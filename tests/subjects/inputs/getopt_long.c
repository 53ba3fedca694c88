// Long options of all lengths are found, also where one is the beginning of another, and with values.
// args: --a
// room: 12
// reaches: no, no-color, size, size 7
// runs: 40
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"no", 0, 0, 'n'}, {"no-color", 0, 0, 'c'}, {"size", 1, 0, 's'}, {"all", 0, 0, 'a'}, {0, 0, 0, 0}};
  opterr = 0;
  switch (getopt_long(argc, argv, "", options, NULL)) {
  case 'n':
    puts("no");
    break;
  case 'c':
    puts("no-color");
    break;
  case 's':
    puts("size");
    if (atoi(optarg) == 7)
      puts("size 7");
    break;
  }
  return 0;
}
