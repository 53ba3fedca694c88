// The digits that sprintf writes mean the number.
// args: 7
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char text[16];
  sprintf(text, "<%d>", argv[1][0] * 2);
  if (text[2] == '9') //~ symbolic
    puts("nine");
  else
    puts("other");
  return 0;
}
