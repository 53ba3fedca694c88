// A length from a header goes to a function for strings: an entry of an archive, whose name is not ended by a zero.
//
// strncpy fills the rest with zeros, so that a name that is short does not help.
//
// test: printf '\003abc' >entry && test "$(./subject entry)" = abc
// test: printf '\000' >entry && test "$(./subject entry)" = ''
// breaks: printf '\041abc' >entry && ./subject entry
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 15

struct entry {
  unsigned char length;
  char name[64];
};

static char *name_of(const struct entry *entry) {
  char *name = calloc(MAX_NAME + 1, 1);
  if (!name)
    return NULL;
  strncpy(name, entry->name, entry->length); //~ heap-buffer-overflow, distance 0, depth 0, bytes 1
  return name;
}

int main(int argc, char **argv) {
  struct entry entry = {0, ""};
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file || fread(&entry, 1, sizeof entry, file) < 1)
    return 1;
  fclose(file);
  char *name = name_of(&entry);
  if (!name)
    return 1;
  puts(name);
  free(name);
  return 0;
}
