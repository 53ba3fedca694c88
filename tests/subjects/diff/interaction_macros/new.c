// A macro processor that now keeps what a macro expands to (on the heap). That must be forgotten when a macro is defined again: it is
// when that is the macro itself, and not when it is one that the macro calls. So only: expand one that calls another, define the other one
// again, expand the first one.
// $ printf 'Dx1.Dy2.XxXyUx.Lx.C.......' | program
// $ printf 'C.LxDx12.LxXx.Xx.Q........' | program
// diff: --first --time 600 --ignore sanitizers --search interactions
// difference: output unclassified
// marks: any
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 3
#define LONGEST 4

struct macro {
  char *body;
  char *kept;
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

static void forget(struct macro *macro) {
  free(macro->kept);
  macro->kept = NULL;
}

static void define(struct macro *macro, const char *text, int length) {
  free(macro->body);
  macro->body = malloc(LONGEST + 1);
  memcpy(macro->body, text, length);
  macro->body[length] = 0;
  forget(macro);
}

static void undefine(struct macro *macro) {
  free(macro->body);
  macro->body = NULL;
  forget(macro);
}

// Appends what a macro stands for.
static void expand(struct macro *macro, char *to, int depth) {
  if (macro->kept) {
    strcat(to, macro->kept);
    return;
  }
  size_t before = strlen(to);
  for (const char *at = macro->body ? macro->body : "?"; *at; at++) {
    if (*at >= 'x' && *at <= 'z') {
      if (depth < 2)
        expand(&macros[*at - 'x'], to, depth + 1);
    } else {
      strncat(to, at, 1);
    }
  }
  if (depth == 0)
    macro->kept = strdup(to + before);
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
      if (column != 0)
        lines++;
      column = 0;
      break;
    case 'Q':
      printf(" %d errors\n", errors);
      return lines;
    }
  }
  printf("\n%d\n", lines + !!column);
  return 0;
}
