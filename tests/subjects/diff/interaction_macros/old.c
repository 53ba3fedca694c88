#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 3
#define LONGEST 4

struct macro {
  char *body;
};

static struct macro *macros;
static int lines, errors, column;

static struct macro *named(int letter) {
  if (letter < 'x' || letter > 'z') {
    errors++;
    return NULL;
  }
  return &macros[letter - 'x'];
}

static void define(struct macro *macro, const char *text, int length) {
  free(macro->body);
  macro->body = malloc(LONGEST + 1);
  memcpy(macro->body, text, length);
  macro->body[length] = 0;
}

static void undefine(struct macro *macro) {
  free(macro->body);
  macro->body = NULL;
}

// Appends what a macro stands for.
static void expand(struct macro *macro, char *to, int depth) {
  for (const char *at = macro->body ? macro->body : "?"; *at; at++) {
    if (*at >= 'x' && *at <= 'z') {
      if (depth < 2)
        expand(&macros[*at - 'x'], to, depth + 1);
    } else {
      strncat(to, at, 1);
    }
  }
}

static void list(const struct macro *macro) {
  printf("%c=", (int)(macro - macros) + 'x');
  puts(macro->body ? macro->body : "");
  column = 0;
}

int main(void) {
  char in[27] = "", out[200];
  if (fread(in, 1, 26, stdin) != 26)
    return 2;
  macros = calloc(NAMES, sizeof *macros);
  macros[0].body = strdup("1y");
  macros[1].body = strdup("2");
  for (const char *at = in; *at; at++) {
    struct macro *macro;
    switch (*at) {
    case 'D':
      if ((macro = named(at[1]))) {
        int length = 0;
        while (length < LONGEST && at[2 + length] && at[2 + length] != '.')
          length++;
        define(macro, at + 2, length);
        at += length + 1;
      }
      break;
    case 'U':
      if ((macro = named(at[1])))
        undefine(macro);
      break;
    case 'X':
      if ((macro = named(at[1]))) {
        out[0] = 0;
        expand(macro, out, 0);
        fputs(out, stdout);
        column += strlen(out);
      }
      break;
    case 'L':
      if ((macro = named(at[1])))
        list(macro);
      break;
    case 'C':
      if (column > 0)
        lines++;
      column = 0;
      break;
    case 'Q':
      printf(" %d errors\n", errors);
      return lines;
    }
  }
  printf("\n%d\n", column ? lines + 1 : lines);
  return 0;
}
