// More lies around a branch than --branch-runs allows: it is taken up when nothing else is left, and what fails there is found.
//
// check: --branch-runs 2 --depth-factor 8
// test: ./subject aaaaaaaa
// leaves: nothing
#include <stdio.h>
#include <string.h>

int table[4];

int main(int count, char **words) {
  int at = 1;
  if (count < 2 || strlen(words[1]) != 8)
    return 1;
  if (words[1][0] == 'b')
    // Each of these is a fork on the way to the last.
    for (int i = 1; i < 6; i++)
      if (words[1][i] == 'c')
        at++;
  table[at - 1] = 1; //~ bounds, distance 1
  return 0;
}
