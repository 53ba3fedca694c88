// Bytes are put into the buffer of the stream by inlined functions; a word of the third line is changed by the new version.
// $ printf 'one\ntwo\nxyz\n' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  int c, line = 0;
  while ((c = getchar_unlocked()) != EOF) {
    line += c == '\n' || c == 0x85; //~ shown
    putchar_unlocked(line == 3 ? c | 0x80 : c);
  }
  return 0;
}
