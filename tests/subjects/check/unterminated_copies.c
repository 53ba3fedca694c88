// Copies of strings that may have no end: strdup, strcpy, strcat on both of its strings.
//
// test: printf 'abc\000def\000ghi\000jkl\000' | ./subject
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *field(void) {
  char *text = malloc(4);
  if (!text || read(0, text, 4) != 4)
    exit(1);
  return text;
}

int main(void) {
  char *a = field(), *b = field(), *c = field(), *d = field();
  char room[64] = "";
  char *copy = strdup(a); //~ heap-buffer-overflow, distance 0, bytes 1
  strcpy(room, b); //~ heap-buffer-overflow, distance 0, bytes 1
  strcat(room, c); //~ heap-buffer-overflow, distance 0, bytes 1
  puts(room), puts(copy);
  puts(d); //~ heap-buffer-overflow, distance 0, bytes 1
  free(copy);
  free(a), free(b), free(c), free(d);
  return 0;
}
