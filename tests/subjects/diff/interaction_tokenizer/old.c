#include <stdio.h>

static int in_quote, in_brace, in_comment;
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
    if (in_quote)
      in_quote = 0;
    else
      in_quote = 1;
    return 1;
  case '{':
    if (!in_brace)
      in_brace = 1;
    else
      add('{');
    return 1;
  case '}':
    if (!in_brace)
      add('}');
    in_brace = 0;
    return 1;
  case '#':
    if (in_quote || in_brace || next == ' ') {
      add('#');
      return 1;
    }
    in_comment = 1;
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
    if (in_comment) {
      if (letter == '\n')
        in_comment = 0;
      continue;
    }
    if (letter == '\\' && i + 1 < 25) {
      add(in[++i]);
      continue;
    }
    if (special(letter, in[i + 1]))
      continue;
    if (in_quote || in_brace) {
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
      pipes++;
      end_command('|');
      break;
    default:
      add(letter);
    }
  }
  end_command('.');
  printf("%d %d%s\n", commands, pipes, in_quote || in_brace ? " open" : "");
  return 0;
}
