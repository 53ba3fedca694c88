// Only the last of 48 records can write behind the table: the loop has executed the same operation many times before.
//
// The last record has no terminator in the test, so its branch has the table's own index on the other side. That branch is the
// last one before an execution of the index: distance 1, however often the loop came by.
//
// test: printf '%047dx' 0 | ./subject
// breaks: printf '%047dy' 0 | ./subject
#include <stdio.h>

static int table[8];

static void count(int kind, int number) {
  int index = 0;
  if (kind == 'y' && number == 47)
    index = number;
  table[index]++; //~ bounds, distance 1, bytes 1
}

int main(void) {
  int kind;
  for (int number = 0; (kind = getchar()) != EOF; number++)
    count(kind, number);
  return 0;
}
