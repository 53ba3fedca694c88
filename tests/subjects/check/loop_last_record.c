// Only the last of 48 records can write behind the table: the loop has executed the same operation many times before.
//
// Each record is a branch, and behind it the table is used with an index that does not depend on the input. On the other side of the
// last record's branch it is another one: distance 1, however often the loop came by before.
//
// test: printf '%047dx' 0 | ./subject
// breaks: printf '%047dy' 0 | ./subject
#include <stdio.h>

static int table[8];

static void count(int kind, int number) {
  int index = 0;
  if (kind == 'y' && number == 47)
    index = number;
  table[index]++; //~ bounds, distance 1, depth 48, bytes 1
}

int main(void) {
  int kind;
  for (int number = 0; (kind = getchar()) != EOF; number++)
    count(kind, number);
  return 0;
}
