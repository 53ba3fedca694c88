// A search ends at what it looks for: only if that is not there, and no NUL either, it goes on behind the end.
//
// test: printf 'a=1\000b:2\000' | ./subject
// breaks: printf 'a-1-b:2\000' | ./subject
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *pair = malloc(4), *other = malloc(4);
  if (!pair || !other || read(0, pair, 4) != 4 || read(0, other, 4) != 4)
    return 1;
  char *value = strchr(pair, '='); //~ heap-buffer-overflow, distance 0, bytes 2
  // A colon is there, or nothing is looked for.
  char *rest = memchr(other, ':', 4) ? strchr(other, ':') : NULL;
  printf("%s %s\n", value ? "yes" : "no", rest ? "yes" : "no");
  free(pair), free(other);
  return 0;
}
