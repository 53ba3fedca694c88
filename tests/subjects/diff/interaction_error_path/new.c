// What is kept when one part fails is looked at when another one does.
// $ printf 'aaaaaaaa' | program
// diff: --first --time 60 --ignore sanitizers --search interactions
// difference: output unclassified
#include <stdio.h>

static int errors;

static int parse(const char *in) {
  if (in[0] != 'o' && in[1] == 'e') {
    errors = 2; //~ shown
    return -1;
  }
  return in[0] == 'o';
}

int main(void) {
  char in[8];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  int first = parse(in), second = parse(in + 4);
  if (second == 1 && first < 0)
    if (errors > 1) //~ shown
      puts("too many");
  puts("end");
  return 0;
}
