#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
int main(int argc, char **argv) {
  fclose(fopen("made", "w"));
  chmod("made", 0644);
  return 0;
}
