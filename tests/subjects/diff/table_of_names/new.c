// A name in a table changed: it shows where the name is looked up.
// $ printf 'zzzzz\n' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"alpha", "delta"}; //~ shown

int main(void) {
  char line[16] = "";
  if (!fgets(line, sizeof line, stdin))
    return 2;
  line[strcspn(line, "\n")] = 0;
  for (int i = 0; i < 2; i++)
    if (strcmp(line, names[i]) == 0)
      printf("%d\n", i);
  return 0;
}
