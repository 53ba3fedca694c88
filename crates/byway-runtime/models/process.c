// Programs that become another program: the trace ends there, and says so.
#include "byway.h"
#include <unistd.h>

#define BECOMES(name, parameters, arguments)                                                                           \
  int byway_model_##name parameters {                                                                                  \
    byway_replacing(1);                                                                                                \
    int failed = name arguments;                                                                                       \
    byway_replacing(0);                                                                                                \
    return failed;                                                                                                     \
  }

int execvpe(const char *, char *const[], char *const[]);
int fexecve(int, char *const[], char *const[]);

BECOMES(execve, (const char *path, char *const list[], char *const environment[]), (path, list, environment))
BECOMES(execv, (const char *path, char *const list[]), (path, list))
BECOMES(execvp, (const char *path, char *const list[]), (path, list))
BECOMES(execvpe, (const char *path, char *const list[], char *const environment[]), (path, list, environment))
BECOMES(fexecve, (int fd, char *const list[], char *const environment[]), (fd, list, environment))
