// A list of ranges sizes a bitmap, and a range that is open to the right is forgotten: `cut -c3-5,6-`.
//
// The bitmap has room for the largest right end, in whole bytes: 5 makes one byte, for 0 to 7. The start of the open range is
// looked up in it. 6 is in that byte by luck, 8 is not, and both are one digit: the same way, distance 0.
//
// test: printf 'abcdefgh\n' >file && test "$(./subject -c 3-5,6- -o : file)" = cde:fgh
// test: test "$(./subject -c 2,4-6 file)" = bdef
// test: ! ./subject -c 5-3 file
// breaks: printf 'abcdefgh\n' >file && ./subject -c 3-5,8- -o : file
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct range {
  size_t from, to;
};

static struct range ranges[32];
static size_t range_count;
// Where a range that has no end begins; 0 if there is none.
static size_t open_from;
// Whether it is not within another range.
static int open_starts;

static unsigned char *selected;
static size_t last;
static unsigned char *starts;
static const char *delimiter;

static void fail(const char *message) {
  fprintf(stderr, "cut: %s\n", message);
  exit(1);
}

static void mark(unsigned char *bits, size_t place) { bits[place / CHAR_BIT] |= 1u << place % CHAR_BIT; }

static int is_marked(const unsigned char *bits, size_t place) {
  return bits[place / CHAR_BIT] >> place % CHAR_BIT & 1; //~ heap-buffer-overflow, distance 0, bytes 1
}

static const char *parse_place(const char *text, size_t *place) {
  *place = 0;
  for (; isdigit((unsigned char)*text); text++) {
    if (*place > 1000000)
      fail("a number is too large");
    *place = *place * 10 + (*text - '0');
  }
  return text;
}

static const char *parse_range(const char *text) {
  struct range range;
  text = parse_place(text, &range.from);
  if (*text != '-') {
    range.to = range.from;
  } else {
    text = parse_place(text + 1, &range.to);
    if (range.from == 0)
      range.from = 1;
    if (range.to == 0) {
      if (open_from == 0 || range.from < open_from)
        open_from = range.from;
      return text;
    }
  }
  if (range.from == 0 || range.to < range.from)
    fail("a range is empty");
  if (range_count == sizeof ranges / sizeof *ranges)
    fail("there are too many ranges");
  ranges[range_count++] = range;
  return text;
}

static void parse_list(const char *list) {
  while (*list) {
    list = parse_range(list);
    if (*list == ',')
      list++;
    else if (*list)
      fail("a list has numbers, '-' and ','");
  }
}

static void select_ranges(void) {
  for (size_t i = 0; i < range_count; i++)
    if (ranges[i].to > last)
      last = ranges[i].to;
  selected = calloc(last / CHAR_BIT + 1, 1);
  starts = calloc(last / CHAR_BIT + 1, 1);
  if (!selected || !starts)
    fail("there is no memory");
  for (size_t i = 0; i < range_count; i++) {
    if (!is_marked(selected, ranges[i].from))
      mark(starts, ranges[i].from);
    for (size_t place = ranges[i].from; place <= ranges[i].to; place++)
      mark(selected, place);
  }
  if (delimiter && open_from && !is_marked(selected, open_from))
    open_starts = 1;
}

static int is_selected(size_t place) {
  return (open_from && place >= open_from) || (place <= last && is_marked(selected, place));
}

// Whether a range begins here.
static int is_start(size_t place) {
  return place == open_from ? open_starts : place <= last && is_marked(starts, place);
}

static void cut(FILE *file) {
  size_t place = 0, printed = 0;
  for (int c; (c = getc(file)) != EOF;) {
    if (c == '\n') {
      putchar(c);
      place = printed = 0;
    } else if (is_selected(++place)) {
      if (delimiter && printed && is_start(place))
        fputs(delimiter, stdout);
      putchar(c);
      printed++;
    }
  }
}

int main(int argc, char **argv) {
  const char *list = NULL;
  for (int option; (option = getopt(argc, argv, "c:o:")) != -1;) {
    if (option == 'c')
      list = optarg;
    else if (option == 'o')
      delimiter = optarg;
    else
      return 1;
  }
  if (!list || optind + 1 != argc)
    fail("usage: cut -c LIST [-o DELIMITER] FILE");
  parse_list(list);
  select_ranges();
  FILE *file = fopen(argv[optind], "r");
  if (!file)
    fail("the file cannot be opened");
  cut(file);
  fclose(file);
  return 0;
}
