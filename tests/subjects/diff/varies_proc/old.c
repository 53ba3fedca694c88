#include <unistd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char text[200] = ""; FILE *stat = fopen("/proc/self/stat", "r"); fgets(text, sizeof text, stat); fputs(text, stdout); puts("");
  int unused = argc;
  puts(unused > 2 ? "many" : "few");
  return 0;
}
