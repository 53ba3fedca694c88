// How often each byte occurs: a count is one more than it was, whichever it is.
// args: abcdefgh
// reaches: three, twice
#include <stdio.h>

static int count[256];

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  for (const char *s = argv[1]; *s; s++)
    count[(unsigned char)*s]++;
  if (count['e'] == 3)
    puts("three");
  if (count['x'] == 2 && count['y'] == 2)
    puts("twice");
  return 0;
}
