// The value of an option is gone when all options were read, and a message wants it: `mkdir -Z`.
//
// The test asks for a mode. The letter of the option decides, and then the mode is read: distance 1. `Z` instead of `m` leads to
// the label, which must have a colon in it; `700` has none, so nothing else has to change. Before that, four branches are about
// the option, one about the next argument, and one about the colon: depth 6.
//
// test: ./subject -m 700 new && test -d new && rmdir new
// test: ./subject -p one/two && test -d one/two && rm -r one
// test: ! ./subject -m 9 new
// breaks: ./subject -Z 700 new
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_parents;

static void usage(void) {
  fprintf(stderr, "usage: mkdir [-p] [-m MODE] [-Z LABEL] DIRECTORY...\n");
  exit(1);
}

// A text between quotes, without control characters.
static const char *quote(const char *text) {
  static char quoted[64];
  char *out = quoted;
  *out++ = '\'';
  for (; *text && out < quoted + sizeof quoted - 2; text++) //~ null, distance 1, depth 6, bytes 1
    *out++ = (unsigned char)*text < ' ' ? '?' : *text;
  *out++ = '\'';
  *out = '\0';
  return quoted;
}

static mode_t parse_mode(const char *text) {
  mode_t mode = 0;
  if (!*text || strlen(text) > 4)
    usage();
  for (; *text; text++) {
    if (*text < '0' || *text > '7')
      usage();
    mode = mode << 3 | (*text - '0');
  }
  return mode;
}

// Makes new files have a label; returns whether this can be one.
static int set_label(const char *label) {
  const char *colon = strchr(label, ':');
  return colon && colon != label && colon[1] != '\0';
}

static int make(char *path, mode_t mode) {
  for (char *slash = path; make_parents && *slash && (slash = strchr(slash + 1, '/'));) {
    *slash = '\0';
    int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
    *slash = '/';
    if (failed)
      return -1;
  }
  return mkdir(path, mode);
}

int main(int argc, char **argv) {
  mode_t mode = 0777;
  const char *label = NULL;
  for (int option; (option = getopt(argc, argv, "pm:Z:")) != -1;) {
    switch (option) {
    case 'p':
      make_parents = 1;
      break;
    case 'm':
      mode = parse_mode(optarg);
      break;
    case 'Z':
      label = optarg;
      break;
    default:
      usage();
    }
  }
  if (optind == argc)
    usage();
  if (label && !set_label(label)) {
    fprintf(stderr, "mkdir: there is no label %s\n", quote(optarg));
    return 1;
  }
  int status = 0;
  for (; optind < argc; optind++) {
    if (make(argv[optind], mode) != 0) {
      fprintf(stderr, "mkdir: %s: %s\n", quote(argv[optind]), strerror(errno));
      status = 1;
    }
  }
  return status;
}
