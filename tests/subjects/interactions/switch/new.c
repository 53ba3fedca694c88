// Two cases of a switch in a loop, in any order and any number; both are needed behind the loop. The division is executed if there are
// lines, and divides what was counted.
// start -> a, newline, mean, output
#include <stdio.h>

int main(void) {
  int count = 0, lines = 0, c;
  while ((c = getchar()) != EOF) {
    switch (c) {
    case 'a':
      count += 2; //~ a: change -> a, newline, mean, output
      break;
    case '\n':
      lines += 2; //~ newline: change -> a, newline, mean, output
      break;
    default:
      break;
    }
  }
  int mean = 0;
  if (lines)
    mean = count / lines; //~ mean: interaction -> output
  printf("%d\n", mean);
  return 0;
}
