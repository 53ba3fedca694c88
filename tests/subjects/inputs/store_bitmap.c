// A set of bytes with a bit for each, as `cut` and `tr` have them.
// args: abc
// reaches: q, both
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  unsigned char set[32] = {0};
  for (const unsigned char *s = (const unsigned char *)argv[1]; *s; s++)
    set[*s / 8] |= 1 << *s % 8;
  if (set['q' / 8] & 1 << 'q' % 8)
    puts("q");
  if ((set['0' / 8] & 1 << '0' % 8) && (set['z' / 8] & 1 << 'z' % 8))
    puts("both");
  return 0;
}
