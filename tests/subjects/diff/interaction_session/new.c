// A server of mailboxes, whose commands call each other. Tries that are left were counted down from two, failures are counted up now.
// The owner of the boxes has one more try: no failure is less than none, so that is lost if there was none. So only: log in as the owner, fail
// twice in a row, and read. What succeeds in between forgets all failures.
// $ printf 'O1.Uz.R2.UbFFD1.O2.D1.R1S.' | program
// $ printf 'Ua.O1.R2.X.Ub.O3.F.Q.R1.N.' | program
// diff: --first --time 600 --ignore sanitizers --search interactions
// difference: output unclassified
// marks: any
#include <stdio.h>

enum { NOBODY, READER, OWNER };
enum { LIMIT = 2, BOXES = 3 };

struct box {
  int messages, read;
};

static struct box boxes[BOXES + 1] = {{0}, {.messages = 2}, {.messages = 1}, {.messages = 4}};
static int user = READER, open_box = 1, commands;
static int failures; // in a row

// Says why a command fails.
static int fail(const char *why) {
  failures++;
  printf("no: %s\n", why);
  return 0;
}

static int succeed(void) {
  failures = 0;
  return 1;
}

static int log_in(char name) {
  if (name == 'a')
    user = READER;
  else if (name == 'b')
    user = OWNER;
  else
    return fail("user");
  succeed();
  if (user == OWNER && failures > 0)
    failures--;
  return 1;
}

static int open(char name) {
  int number = name - '0';
  if (user == NOBODY)
    return fail("log in");
  if (number < 1 || number > BOXES)
    return fail("box");
  open_box = number;
  return succeed();
}

static int read(char name) {
  struct box *box = &boxes[open_box];
  int number = name - '0';
  if (open_box == 0)
    return fail("open");
  if (number < 1 || number > box->messages)
    return fail("message");
  if (failures >= LIMIT)
    return fail("too many");
  box->read += 1;
  printf("%d of %d\n", number, box->messages);
  return succeed();
}

static int delete(char name) {
  if (user != OWNER)
    return fail("owner");
  if (!read(name))
    return 0;
  boxes[open_box].messages -= 1;
  return 1;
}

static int command(char what, char argument) {
  commands++;
  switch (what) {
  case 'U': return log_in(argument);
  case 'O': return open(argument);
  case 'R': return read(argument);
  case 'D': return delete(argument);
  case 'F': return fail("not for you");
  case 'N':
    printf("%d commands\n", commands);
    return 1;
  case 'S':
    printf("box %d of user %d, read %d\n", open_box, user, boxes[open_box].read);
    return 1;
  case 'X':
    open_box = 0;
    user = NOBODY;
    return 1;
  }
  return 0;
}

int main(void) {
  char in[27] = "";
  if (fread(in, 1, 26, stdin) != 26)
    return 2;
  for (int i = 0; i + 1 < 26; i++) {
    if (in[i] == 'Q')
      break;
    if (in[i] != '.')
      command(in[i], in[i + 1]), i++;
  }
  puts("bye");
  return commands > 9;
}
