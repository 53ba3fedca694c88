// A choice within a choice: three texts, three paths behind the end of the input.
// explore: --sym-stdin 1 --all-paths
// paths: 4
// exits: 1 2 3 4
#include <stdio.h>
#include <string.h>

int main(void) {
  int c = getchar();
  if (c == EOF)
    return 1;
  const char *text = c < 'h' ? "ab" : c < 'p' ? "abc" : "abcd";
  return strlen(text);
}
