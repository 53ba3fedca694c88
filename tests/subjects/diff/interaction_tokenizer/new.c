// The tokenizer of a small shell. What it is within were three variables and is a set now (a global variable). Opening, testing and
// closing are changed everywhere and do what they did, but the end of a quote forgets a brace that was opened before it. So only: a brace,
// a quote in it that ends, and then a separator, outside of comments.
// $ printf 'ls "a b" {c;d} #e {x;y}|f\n' | program
// $ printf '"a{b}" \\"cd;ef|{gh} #"{;}.\n' | program
// diff: --first --time 600 --ignore sanitizers --search interactions
// difference: output unclassified
// marks: any
#include <stdio.h>

enum { QUOTE = 1, BRACE = 2, COMMENT = 4 };

static int within;
static int words, commands, pipes;
static char word[32];
static int length;

static void end_word(void) {
  if (length == 0)
    return;
  word[length] = 0;
  printf("%s,", word);
  words++;
  length = 0;
}

static void end_command(char how) {
  end_word();
  if (words > 0) {
    commands++;
    printf("%d%c\n", words, how);
  }
  words = 0;
}

static void add(char letter) {
  if (length < 31)
    word[length++] = letter;
}

static int special(char letter, char next) {
  switch (letter) {
  case '"':
    if (within & QUOTE)
      within = 0;
    else
      within |= QUOTE;
    return 1;
  case '{':
    if (!(within & BRACE))
      within |= BRACE;
    else
      add('{');
    return 1;
  case '}':
    if (!(within & BRACE))
      add('}');
    within &= ~BRACE;
    return 1;
  case '#':
    if (within || next == ' ') {
      add('#');
      return 1;
    }
    within |= COMMENT;
    return 1;
  }
  return 0;
}

int main(void) {
  char in[26];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  for (int i = 0; i < 25; i++) {
    char letter = in[i];
    if (within & COMMENT) {
      if (letter == '\n')
        within &= ~COMMENT;
      continue;
    }
    if (letter == '\\' && i + 1 < 25) {
      add(in[++i]);
      continue;
    }
    if (special(letter, in[i + 1]))
      continue;
    if (within) {
      add(letter);
      continue;
    }
    switch (letter) {
    case ' ':
    case '\t':
      end_word();
      break;
    case ';':
    case '\n':
      end_command(';');
      break;
    case '&':
      end_command('&');
      break;
    case '|':
      pipes += 1;
      end_command('|');
      break;
    default:
      add(letter);
    }
  }
  end_command('.');
  printf("%d %d%s\n", commands, pipes, within & (QUOTE | BRACE) ? " open" : "");
  return 0;
}
