#include <stdio.h>

int main(void) {
  int count = 0, lines = 0, c;
  while ((c = getchar()) != EOF) {
    switch (c) {
    case 'a':
      count++;
      break;
    case '\n':
      lines++;
      break;
    default:
      break;
    }
  }
  int mean = 0;
  if (lines)
    mean = count / lines;
  printf("%d\n", mean);
  return 0;
}
