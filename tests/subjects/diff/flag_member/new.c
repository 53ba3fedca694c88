// The flag is a member of a structure that a parser of options fills in through a pointer.
// $ printf 'aaaa' | program -z
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

struct options {
  int color, depth;
};

static void parse(struct options *options, const char *text) {
  if (text[0] != '-')
    return;
  if (text[1] == 'c')
    options->color = 1;
  if (text[1] == 'd')
    options->depth = 3;
}

int main(int argc, char **argv) {
  struct options options = {0, 1};
  unsigned x;
  for (int i = 1; i < argc; i++)
    parse(&options, argv[i]);
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  if (options.depth > 2)
    puts(x == 0x12345679 ? "deep" : "not deep"); //~ shown
  puts("done");
  return 0;
}
