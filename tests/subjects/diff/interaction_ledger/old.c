#include <stdio.h>
#include <stdlib.h>

struct account {
  char name;
  int cents;
  struct account *next;
};

static struct account *accounts;
static int failures, day;

static struct account *find(char name) {
  for (struct account *account = accounts; account; account = account->next)
    if (account->name == name)
      return account;
  failures++;
  return NULL;
}

static void add(char name) {
  for (struct account *account = accounts; account; account = account->next)
    if (account->name == name)
      return;
  struct account *account = calloc(1, sizeof *account);
  account->name = name;
  account->next = accounts;
  accounts = account;
}

static void close_account(char name) {
  for (struct account **at = &accounts; *at; at = &(*at)->next)
    if ((*at)->name == name) {
      struct account *account = *at;
      *at = account->next;
      free(account);
      return;
    }
  failures++;
}

static void pay(struct account *account, int units) {
  account->cents += units * 100;
}

static void withdraw(struct account *account) {
  if (account->cents >= 100)
    account->cents -= 100;
  else
    failures++;
}

static void add_interest(void) {
  for (struct account *account = accounts; account; account = account->next)
    account->cents += account->cents / 100 * 30;
  day++;
}

static void transfer(struct account *from, struct account *to) {
  int units = from->cents / 100 / 2;
  from->cents -= units * 100;
  pay(to, units);
}

static void report(const struct account *account) {
  printf("%c has %d\n", account->name, account->cents / 100);
}

int main(void) {
  char in[27] = "";
  if (fread(in, 1, 26, stdin) != 26)
    return 2;
  struct account *account, *other;
  for (const char *at = in; *at; at++)
    switch (*at) {
    case 'N':
      if (at[1] >= 'x' && at[1] <= 'z')
        add(*++at);
      break;
    case 'C':
      if (at[1])
        close_account(*++at);
      break;
    case 'P':
      if (at[1] && (account = find(*++at)) && at[1] >= '1' && at[1] <= '9')
        pay(account, *++at - '0');
      break;
    case 'W':
      if (at[1] && (account = find(*++at)))
        withdraw(account);
      break;
    case 'T':
      if (at[1] && at[2] && (account = find(at[1])) && (other = find(at[2])))
        transfer(account, other);
      break;
    case 'I': add_interest(); break;
    case 'R':
      if (at[1] && (account = find(*++at)))
        report(account);
      break;
    case 'Q':
      printf("%d failures\n", failures);
      return 1;
    }
  printf("day %d\n", day);
  return 0;
}
