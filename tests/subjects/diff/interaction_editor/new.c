// A line editor in a loop. The mark was kept as its distance from the end, and is one from the beginning now; insertions before it and
// deletions before it are changed to move it. What comes back from the kill buffer is inserted too, and does not move it. So only: set
// the mark, cut something out of the text, go before the mark, put it back, go to the mark, and type. All else does what it did.
// $ printf 'iABCDbm$bxiXgiYpkupslgiZ ' | program
// $ printf 'iHELOkypbbsiABm0xgxiCpu0p' | program
// diff: --first --time 600 --ignore sanitizers --search interactions
// difference: output unclassified
// marks: any
#include <stdio.h>
#include <string.h>

#define ROOM 64

struct line {
  char text[ROOM];
  int length, cursor;
  int mark; // -1: there is none
};

static char killed[ROOM], before[ROOM];
static int killed_length, changes, swaps, bells;

static void insert(struct line *line, char letter) {
  if (line->length + 1 >= ROOM) {
    bells++;
    return;
  }
  memmove(line->text + line->cursor + 1, line->text + line->cursor, line->length - line->cursor);
  line->text[line->cursor++] = letter;
  line->length++;
}

static void typed(struct line *line, char letter) {
  if (line->mark >= line->cursor)
    line->mark++;
  insert(line, letter);
  changes += 1;
}

static void erase(struct line *line) {
  if (line->cursor >= line->length) {
    bells++;
    return;
  }
  if (line->mark > line->cursor)
    line->mark--;
  memmove(line->text + line->cursor, line->text + line->cursor + 1, line->length - line->cursor - 1);
  line->length--;
  changes += 1;
}

static void go(struct line *line, int to) {
  if (to < 0 || to > line->length) {
    bells++;
    return;
  }
  line->cursor = to;
}

static void swap_letters(struct line *line) {
  if (line->cursor < 1 || line->cursor >= line->length)
    return;
  char letter = line->text[line->cursor];
  line->text[line->cursor] = line->text[line->cursor - 1];
  line->text[line->cursor - 1] = letter;
  swaps++;
}

// Cuts what is behind the cursor, up to the end.
static void cut(struct line *line) {
  killed_length = line->length - line->cursor;
  memcpy(killed, line->text + line->cursor, killed_length);
  line->length = line->cursor;
  if (line->mark > line->length)
    line->mark = line->length;
}

static void put_back(struct line *line) {
  for (int i = 0; i < killed_length; i++)
    insert(line, killed[i]);
}

static void show(const struct line *line) {
  printf("%.*s\n", line->length, line->text);
}

int main(void) {
  char in[25];
  struct line line = {.mark = -1};
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  for (int i = 0; i < 25; i++)
    switch (in[i]) {
    case 'i':
      while (++i < 25 && in[i] >= 'A' && in[i] <= 'Z')
        typed(&line, in[i]);
      i--;
      break;
    case 'x': erase(&line); break;
    case '0': go(&line, 0); break;
    case '$': go(&line, line.length); break;
    case 'l': go(&line, line.cursor + 1); break;
    case 'b': go(&line, line.cursor - 1); break;
    case 'm':
      line.mark = line.cursor;
      break;
    case 'g':
      go(&line, line.mark);
      break;
    case 's': swap_letters(&line); break;
    case 'k': cut(&line); break;
    case 'y': put_back(&line); break;
    case 'p': show(&line); break;
    case 'u': memcpy(before, line.text, sizeof before); break;
    case 'q':
      if (bells >= 3)
        puts("too many");
      return 1;
    }
  show(&line);
  printf("%d %d\n", changes, swaps);
  return 0;
}
