// Two commands lead to the same defect, and three tests use them: one finding.
//
// test: test "$(printf 'b\003b\003' | ./subject)" = '1 2 '
// test: test "$(printf 's\007' | ./subject)" = 1
// test: printf 'b\001s\000' | ./subject
// breaks: printf 's\040' | ./subject
#include <stdio.h>

static int sold[16];

static int count(int item) {
  return ++sold[item]; //~ bounds, distance 0, bytes 1
}

static void buy(int item) { printf("%d ", count(item)); }

static void sell(int item) { printf("%d\n", count(item)); }

int main(void) {
  for (int command; (command = getchar()) != EOF;) {
    int item = getchar();
    if (item == EOF)
      return 1;
    if (command == 'b')
      buy(item);
    else if (command == 's')
      sell(item);
    else
      return 1;
  }
  return 0;
}
