#include <stdio.h>

static int limits[4];
int distances[1000];

static void initialize(void) {
  limits[0] = 400;
  limits[1] = 500;
  limits[2] = 640;
  limits[3] = 740;
}

int main(void) {
  int in[3];
  if (fread(in, sizeof *in, 3, stdin) != 3)
    return 2;
  initialize();
  if (in[0] > 5)
    puts(in[1] < limits[in[2]] ? "near" : "far");
  return distances[0];
}
