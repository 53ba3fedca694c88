// Memory that is made as long as the strings that are copied to it: however long these are, there is room.
//
// test: ./subject one
// test: ./subject 'one two' three
// test: printf 'a\nbc\n\ndef' >f && ./subject -f f
// finds: nothing
// asks: allocation 8, bounds 100
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void names(int count, char **words) {
  size_t length = 1;
  for (int i = 1; i < count; i++)
    length += strlen(words[i]) + 1;
  char *all = malloc(length);
  if (!all)
    exit(1);
  *all = 0;
  for (int i = 1; i < count; i++) {
    char *copy = malloc(strlen(words[i]) + 1), *twice = malloc(2 * strlen(words[i]) + sizeof "<>");
    if (!copy || !twice)
      exit(1);
    sprintf(twice, "<%s%s>", words[i], words[i]);
    strcpy(copy, words[i]);
    strcat(strcat(all, copy), " ");
    puts(twice);
    free(copy);
    free(twice);
  }
  puts(all);
  free(all);
}

// The last line has an end, its own or one that is put there: looking for it needs no limit.
static void lines(const char *path) {
  FILE *file = fopen(path, "r");
  char text[100];
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (length == 0 || text[length - 1] != '\n')
    text[length++] = '\n';
  for (char *at = text; at < text + length;) {
    char line[sizeof text], *end = rawmemchr(at, '\n');
    memmove(line, at, end - at);
    line[end - at] = 0;
    puts(line);
    at = end + 1;
  }
}

int main(int count, char **words) {
  if (count == 3 && !strcmp(words[1], "-f"))
    lines(words[2]);
  else
    names(count, words);
  return 0;
}
