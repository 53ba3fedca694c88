// Enough paths for some seconds, most of which cover nothing new.
// explore: --sym-stdin 7
// covers: all
#include <stdio.h>
#include <string.h>

static int word(const char *text) {
  if (text[0] == 'i')
    return text[1] == 'f' ? 1 : text[1] == 'n' ? 2 : 3;
  if (text[0] == 'd')
    return text[1] == 'o' ? 4 : 5;
  return 6;
}

int main(void) {
  char text[8] = "";
  size_t size = fread(text, 1, 7, stdin);
  int sum = 0;
  for (size_t i = 0; i + 1 < size; i += 2) {
    sum += word(text + i);
    if (text[i] == ';')
      sum += 10;
  }
  if (size == 7 && text[6] == '.')
    return 100 + sum;
  return sum;
}
