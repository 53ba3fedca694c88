#include <stdio.h>

int main(int argc, char **argv) {
  int total = 0;
  for (int i = 0; i < argc; i++) {
    total += i;
    if (total > 5 && argc > 2)
      total--;
  }
  return total;
}
