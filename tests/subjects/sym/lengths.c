// A symbolic length is an event for each place that it is given for.
// args: 4
// stdin: 0123456789012345678901234567890123456789
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char from[16] = "0123456789", to[32] = "", word[4] = {'a', 'b', 'c', 'd'};
  wchar_t wide[8] = L"abcd", other[8] = L"";
  size_t n = argv[1][0] - '0';
  memcpy(to, from, n);          //~ read length, written length
  memmove(to, to + 1, n);       //~ read length, written length
  memset(to, 'x', n);           //~ written length
  int order = memcmp(to, from, n); //~ read length
  strncpy(to, from, n);         //~ read length, written length
  strncpy(to, "ab", n);         //~ written length
  to[0] = 0;
  strncat(to, word, n);         //~ read length, written length
  size_t length = strnlen(word, n); //~ read length
  void *found = memchr(word, 'c', n); //~ read length
  int other_order = strncmp(word, from, n); //~ no length
  snprintf(to, n, "%s", from);  //~ written length
  wmemcpy(other, wide, n);      //~ read length, written length
  ssize_t count = read(0, to, n); //~ written length
  count += fread(to, 1, n, stdin); //~ written length
  if (!fgets(to, n, stdin))     //~ written length
    return 1;
  write(1, from, n);            //~ read length
  fwrite(from, 1, n, stdout);   //~ read length
  // By how much memory differs, the C library says as it likes: near the end of a page it counts in another way.
  printf("%d %d %zu %td %zd\n", order > 0, other_order > 0, length, (char *)found - word, count);
  return 0;
}
