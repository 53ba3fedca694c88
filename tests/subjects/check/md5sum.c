// A line of a list of checksums with an empty name: its length less one wraps around.
//
// A line is `SUM  NAME`, or `\SUM  NAME` with `\\` and `\n` in the name. The shortest line that is allowed has a name of one byte
// if there is no backslash before the sum, and of none if there is. The test checks a file that is called `\`, so that its line is
// `\SUM  \\`. It becomes one without a name if the newline comes three bytes earlier. getline decides where it is,
// byte by byte, and each byte that it reads is an operation behind the branch on the one before: distance 1.
//
// test: printf x >'\' && printf '\\7979  \\\\\n' >list && ./subject list
// test: printf y >f && printf '7a7a  f\n' >list && ./subject list
// test: printf '0000  f\n' >list && ! ./subject list
// test: printf '12  f\n' >list && ! ./subject list
// breaks: printf '\\7979  \n\\\n' >list && ./subject list
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 4
// A sum, two spaces, one byte of a name.
#define MIN_LENGTH (DIGITS + 2 + 1)

struct line {
  unsigned sum;
  char *name;
};

// Replaces what is escaped in a name; returns whether all of it makes sense.
static int unescape(char *name, size_t length) {
  char *out = name;
  size_t i = 0;
  for (; i < length - 1; i++) {
    if (name[i] != '\\') { //~ heap-buffer-overflow, distance 1, depth 19, bytes 1
      *out++ = name[i];
      continue;
    }
    switch (name[++i]) {
    case '\\':
      *out++ = '\\';
      break;
    case 'n':
      *out++ = '\n';
      break;
    default:
      return 0;
    }
  }
  if (i < length)
    *out++ = name[i];
  *out = '\0';
  return 1;
}

static int parse_sum(const char *text, unsigned *sum) {
  *sum = 0;
  for (int i = 0; i < DIGITS; i++) {
    if (!isxdigit((unsigned char)text[i]))
      return 0;
    int digit = isdigit((unsigned char)text[i]) ? text[i] - '0' : tolower((unsigned char)text[i]) - 'a' + 10;
    *sum = *sum << 4 | digit;
  }
  return 1;
}

// Takes a line apart; returns whether it is one.
static int parse_line(char *text, size_t length, struct line *line) {
  if (length < MIN_LENGTH)
    return 0;
  int escaped = 0;
  if (text[0] == '\\') {
    escaped = 1;
    text++;
    length--;
  }
  if (!parse_sum(text, &line->sum))
    return 0;
  if (text[DIGITS] != ' ' || (text[DIGITS + 1] != ' ' && text[DIGITS + 1] != '*'))
    return 0;
  line->name = text + DIGITS + 2;
  return !escaped || unescape(line->name, length - DIGITS - 2);
}

static int sum_file(const char *name, unsigned *sum) {
  FILE *file = fopen(name, "r");
  if (!file)
    return 0;
  *sum = 1;
  for (int c; (c = getc(file)) != EOF;)
    *sum = (*sum * 257 + (unsigned)c * 257) & 0xffff;
  fclose(file);
  return 1;
}

int main(int argc, char **argv) {
  FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!list) {
    fprintf(stderr, "usage: sums LIST\n");
    return 1;
  }
  char *text = NULL;
  size_t size = 0;
  int failed = 0;
  for (ssize_t length; (length = getline(&text, &size, list)) > 0;) {
    if (text[length - 1] == '\n')
      text[--length] = '\0';
    struct line line;
    unsigned sum;
    if (!parse_line(text, (size_t)length, &line)) {
      fprintf(stderr, "sums: a line makes no sense\n");
      failed = 1;
    } else {
      int same = sum_file(line.name, &sum) && sum == line.sum;
      printf("%s: %s\n", line.name, same ? "OK" : "FAILED");
      failed |= !same;
    }
  }
  free(text);
  fclose(list);
  return failed;
}
