#include <stdio.h>
#include <string.h>

static const char *const names[] = {"alpha", "gamma"};

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
