// Accounts in a list on the heap. Each kept its balance in cents; now it keeps units and cents, which adding, paying and showing are changed
// to. Interest is added to the cents and carried over only when something is paid in. So only: an account with units, interest until
// its cents are more than a unit, and then a report of units, before anything is paid.
// $ printf 'Nx.Px9WxRxI.C.Nx.TxyNyQ.Sx' | program
// $ printf 'Nx.Py5.Nz.P3Rz.NxPx3I..Rx.' | program
// diff: --first --time 600 --ignore sanitizers --search interactions
// difference: output unclassified
// marks: any
#include <stdio.h>
#include <stdlib.h>

struct account {
  char name;
  int units, cents;
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
  account->units += units;
  account->units += account->cents / 100;
  account->cents %= 100;
}

static void withdraw(struct account *account) {
  if (account->units >= 1)
    account->units -= 1;
  else
    failures++;
}

static void add_interest(void) {
  for (struct account *account = accounts; account; account = account->next)
    account->cents += account->units * 30;
  day += 1;
}

static void transfer(struct account *from, struct account *to) {
  int units = from->units / 2;
  from->units -= units;
  pay(to, units);
}

static void report(const struct account *account) {
  printf("%c has %d\n", account->name, account->units);
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
