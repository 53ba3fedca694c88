// Whether an option has a value behind a =, or none, or that of the next argument, are different paths.
// explore: --sym-arg 5
// exits: 0 1 2 3
#include <getopt.h>
#include <stddef.h>

static const struct option options[] = {
    {"color", optional_argument, NULL, 'c'},
    {"width", required_argument, NULL, 'w'},
    {NULL, 0, NULL, 0},
};

int main(int count, char **arguments) {
  opterr = 0;
  switch (getopt_long(count, arguments, "", options, NULL)) {
  case 'c':
    if (optarg)
      return 1;
    return 2;
  case 'w':
    return 3;
  default:
    return 0;
  }
}
