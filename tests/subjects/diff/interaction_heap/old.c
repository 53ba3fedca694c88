#include <stdio.h>
#include <stdlib.h>

struct item {
  int size;
  struct item *next;
};

int main(void) {
  char in[8];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  struct item *all = NULL;
  for (int i = 0; i < 7; i++)
    if (in[i] == 'n') {
      struct item *item = malloc(sizeof *item);
      item->next = all;
      item->size = 1;
      if (in[i + 1] == 'L')
        item->size = 4;
      all = item;
    }
  int large = 0;
  if (in[7] == '!')
    for (struct item *item = all; item; item = item->next)
      if (item->size > 6)
        large++;
  printf("%d\n", large);
  return 0;
}
