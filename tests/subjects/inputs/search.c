// Characters and texts are found behind the present end of an argument.
// args: k
// room: 6
// reaches: strchr, strrchr, strstr, strspn, strcspn
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  const char *s = argv[1], *found;
  if ((found = strchr(s, '=')) && found - s == 3)
    puts("strchr");
  if ((found = strrchr(s, '/')) && found - s == 4)
    puts("strrchr");
  if ((found = strstr(s, "ab")) && found - s == 2)
    puts("strstr");
  if (strspn(s, "0123456789") == 5)
    puts("strspn");
  if (strcspn(s, ":") == 4 && s[4] == ':')
    puts("strcspn");
  return 0;
}
