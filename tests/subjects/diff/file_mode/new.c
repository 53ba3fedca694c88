// $ program
// difference: file unclassified
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
int main(int argc, char **argv) {
  fclose(fopen("made", "w"));
  chmod("made", 0600); //~ shown
  return 0;
}
