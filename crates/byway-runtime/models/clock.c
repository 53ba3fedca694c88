// What time it is: the same in all runs of a fork server. A program that seeds something with the time would take another path
// whenever it is run again.
#include "byway.h"
#include <sys/time.h>
#include <time.h>

time_t byway_model_time(time_t *result) {
  time_t now = time(result);
  if (byway_started() == 0)
    return now;
  now = byway_started();
  if (result)
    *result = now;
  return now;
}

int byway_model_gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = gettimeofday(now, zone);
  if (result == 0 && now && byway_started() != 0) {
    now->tv_sec = byway_started();
    now->tv_usec = 0;
  }
  return result;
}

int byway_model_clock_gettime(clockid_t clock, struct timespec *now) {
  int result = clock_gettime(clock, now);
  _Bool is_calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (result == 0 && is_calendar && byway_started() != 0) {
    now->tv_sec = byway_started();
    now->tv_nsec = 0;
  }
  return result;
}
