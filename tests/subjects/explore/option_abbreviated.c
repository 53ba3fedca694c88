// The name of an option is longer than its argument can be: the shortest that means it is found too, alone and with a value.
// explore: --sym-arg 6
// exits: 0 1 2 3 4
#include <getopt.h>
#include <stddef.h>

static const struct option options[] = {
    {"complement", no_argument, NULL, 'C'},
    {"characters", no_argument, NULL, 'c'},
    {"output-delimiter", required_argument, NULL, 'o'},
    {"only-delimited", no_argument, NULL, 's'},
    {NULL, 0, NULL, 0},
};

int main(int count, char **arguments) {
  opterr = 0;
  switch (getopt_long(count, arguments, "", options, NULL)) {
  case 'C':
    return 1;
  case 'c':
    return 2;
  case 'o':
    return 3;
  case 's':
    return 4;
  default:
    return 0;
  }
}
