// The functions of klee.h for programs that declare them themselves: byway-cc links them to what asks for them.
#include "klee.h"
