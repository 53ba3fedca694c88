// A pointer into an array on the stack moves by what the input says, where the compiler knows of no array any more.
//
// Runs of equal bytes, unpacked: a count and a byte each. The test's runs fit into the row.
//
// test: test "$(printf '\003a\002b\000' | ./subject)" = aaabb
// breaks: printf '\003a\077b\000' | ./subject
#include <stdio.h>
#include <string.h>

static char *unpack(char *out, int count, int byte) {
  memset(out, byte, count); //~ stack-buffer-overflow, distance 0, bytes 1
  return out + count;
}

int main(void) {
  char row[16], *out = row;
  for (int count; (count = getchar()) != EOF && count != 0;) {
    int byte = getchar();
    if (byte == EOF)
      return 1;
    out = unpack(out, count, byte);
    if (out - row > 8)
      break;
  }
  printf("%.*s\n", (int)(out - row), row);
  return 0;
}
