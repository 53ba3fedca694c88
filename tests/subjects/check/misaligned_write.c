// A counter is written at a place that the input names.
//
// test: printf '\004' | ./subject
// breaks: printf '\003' | ./subject
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *table = calloc(32, 1);
  int place = getchar();
  if (!table || place < 0 || place > 12)
    return 1;
  *(long *)(table + place * 2) = 1; //~ alignment, distance 0, bytes 1
  printf("%d\n", table[8]);
  free(table);
  return 0;
}
