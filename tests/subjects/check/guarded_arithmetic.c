// Sums, products, quotients and shifts that are asked for before they are computed.
//
// test: printf '\003\000\000\000\004\000\000\000*' | ./subject
// test: printf '\003\000\000\000\004\000\000\000+' | ./subject
// test: printf '\003\000\000\000\004\000\000\000-' | ./subject
// test: printf '\003\000\000\000\004\000\000\000/' | ./subject
// test: printf '\003\000\000\000\004\000\000\000<' | ./subject
// test: ! printf '\003\000\000\000\000\000\000\000/' | ./subject
// finds: nothing
// asks: division 2, overflow 3, shift 1
#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static int compute(int32_t a, int32_t b, char operator, int32_t *result) {
  switch (operator) {
  case '+':
    return !__builtin_add_overflow(a, b, result);
  case '-':
    if (b < 0 ? a > INT_MAX + b : a < INT_MIN + b)
      return 0;
    *result = a - b;
    return 1;
  case '*': {
    int64_t product = (int64_t)a * b;
    *result = (int32_t)product;
    return product >= INT_MIN && product <= INT_MAX;
  }
  case '/':
    if (b == 0 || (a == INT_MIN && b == -1))
      return 0;
    *result = a / b;
    return 1;
  case '<':
    if (b < 0 || b > 15 || a < 0 || a > 0xffff)
      return 0;
    *result = a << b;
    assert(*result >= a);
    return 1;
  default:
    return 0;
  }
}

int main(void) {
  int32_t operands[2], result;
  if (fread(operands, sizeof *operands, 2, stdin) != 2)
    return 1;
  int operator = getchar();
  if (operator == EOF || !compute(operands[0], operands[1], (char)operator, &result))
    return 1;
  printf("%d\n", result);
  return 0;
}
