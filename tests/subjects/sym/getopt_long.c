// A long option is decided by the bytes of its name.
// args: --help
#include <stdio.h>
#include <getopt.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  static const struct option options[] = {{"help", 0, 0, 'h'}, {"file", 0, 0, 'f'}, {"size", 0, 0, 's'}, {0, 0, 0, 0}};
  switch (getopt_long(argc, argv, "", options, NULL)) { //~ switch
  case 'h':
    puts("help");
    break;
  case 'f':
    puts("file");
    break;
  default:
    puts("other");
  }
  return 0;
}
