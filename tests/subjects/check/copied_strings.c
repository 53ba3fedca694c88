// Copies that are as long as their text: a shorter text has a smaller block, and nothing reads behind its end.
//
// finds: nothing
// asks: allocation 28, bounds 28
// test: ./subject a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b a/b
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char *copy_of(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

static size_t looked_up(const char *text, int which) {
  char *copy = which % 2 ? strdup(text) : copy_of(text);
  if (!copy)
    return 0;
  const char *found = NULL;
  switch (which / 2) {
  case 0: found = strrchr(copy, '/'); break;
  case 1: found = strchr(copy, ';'); break;
  case 2: found = strstr(copy, "b"); break;
  case 3: found = copy + strcspn(copy, "/:"); break;
  case 4: found = copy + strspn(copy, "xa"); break;
  case 5: found = strpbrk(copy, ":;"); break;
  case 6: found = strcmp(copy, "a/c") ? copy : NULL; break;
  case 7: found = strcmp("a/d", copy) ? copy : NULL; break;
  case 8: found = strcasecmp(copy, "A/C") ? copy : NULL; break;
  case 9: found = strncmp(copy, "a/c", 3) ? copy : NULL; break;
  case 10: found = strchrnul(copy, ';'); break;
  case 11: found = copy + atoi(copy); break;
  case 12: found = copy + strnlen(copy, 100); break;
  case 13: found = strcasestr(copy, "B"); break;
  }
  size_t place = found ? (size_t)(found - copy) : 99;
  free(copy);
  return place;
}

int main(int argc, char **argv) {
  size_t sum = 0;
  // Each function gets a text of its own: nothing is known yet of where it ends.
  for (int i = 1; i < argc; i++)
    sum += looked_up(argv[i], i - 1);
  printf("%zu\n", sum);
  return 0;
}
