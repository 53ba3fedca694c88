// All changes lie in a loop. A line of several statements that follow each other is met once.
// start -> header
#include <stdio.h>

int main(int argc, char **argv) {
  int total = 0;
  for (int i = 1; i < argc; i++) { //~ header: change -> add, output
    total += i * 2; //~ add: change -> test
    if (total > 5 && argc > 2) //~ test: interaction -> header
      total--;
  }
  return total;
}
