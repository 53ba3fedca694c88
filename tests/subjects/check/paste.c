// A backslash in a list of delimiters takes the next character with it, also if that is the end: `paste -d '\'`.
//
// The test has a comma. The branch that asks for a backslash is followed by a write to the new list: distance 1. On its other side
// nothing more depends on the input, since what follows is the end.
//
// test: printf 'a\nb\n' >one && printf '1\n2\n' >two && test "$(./subject -d , one two)" = "$(printf 'a,1\nb,2')"
// test: test "$(./subject -d ': ' one two two | head -n 1)" = 'a:1 1'
// test: test "$(./subject -d '\t' one two | tail -n 1)" = "$(printf 'b\t2')"
// breaks: printf 'a\nb\n' >one && printf '1\n2\n' >two && ./subject -d '\' one two
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILES 8

static char *delimiters;
static size_t delimiter_count;

static void fail(const char *message) {
  fprintf(stderr, "paste: %s\n", message);
  exit(1);
}

// Makes the list of delimiters of a text with escapes.
static void set_delimiters(const char *text) {
  char *out = delimiters = malloc(strlen(text) + 1);
  if (!delimiters)
    fail("there is no memory");
  while (*text) { //~ heap-buffer-overflow, distance 1, depth 8, bytes 1
    if (*text != '\\') {
      *out++ = *text++;
      continue;
    }
    switch (*++text) {
    case '0':
      *out++ = '\0';
      break;
    case 'n':
      *out++ = '\n';
      break;
    case 't':
      *out++ = '\t';
      break;
    default:
      *out++ = *text;
    }
    text++;
  }
  delimiter_count = out - delimiters;
  if (delimiter_count == 0)
    fail("there is no delimiter");
}

// Copies a line without its end; returns whether there was one.
static int copy_line(FILE *file) {
  int c = getc(file);
  if (c == EOF)
    return 0;
  for (; c != EOF && c != '\n'; c = getc(file))
    putchar(c);
  return 1;
}

static void paste(FILE **files, size_t count) {
  for (;;) {
    size_t ended = 0;
    for (size_t i = 0; i < count; i++) {
      int c = getc(files[i]);
      ended += c == EOF;
      ungetc(c, files[i]);
    }
    if (ended == count)
      return;
    for (size_t i = 0; i < count; i++) {
      copy_line(files[i]);
      char delimiter = i + 1 < count ? delimiters[i % delimiter_count] : '\n';
      if (delimiter)
        putchar(delimiter);
    }
  }
}

int main(int argc, char **argv) {
  const char *list = "\\t";
  for (int option; (option = getopt(argc, argv, "d:")) != -1;) {
    if (option != 'd')
      return 1;
    list = optarg;
  }
  set_delimiters(list);
  FILE *files[MAX_FILES];
  size_t count = 0;
  for (; optind < argc && count < MAX_FILES; optind++, count++)
    if (!(files[count] = fopen(argv[optind], "r")))
      fail("a file cannot be opened");
  paste(files, count);
  return 0;
}
