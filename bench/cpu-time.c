// cpu-time ROUNDS OUTPUT COMMAND ARGUMENTS...: runs a command that often, with its output to the file OUTPUT, and prints the
// median and the mean of its processor time (user and system, as the kernel has it), in milliseconds, and its exit status.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static double milliseconds(struct timeval time) { return time.tv_sec * 1e3 + time.tv_usec / 1e3; }

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int rounds = argc > 3 ? atoi(argv[1]) : 0;
    if (rounds < 1) {
        fprintf(stderr, "cpu-time ROUNDS OUTPUT COMMAND ARGUMENTS...\n");
        return 2;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);

    double *times = calloc(rounds, sizeof *times), sum = 0;
    int status = 0;
    for (int round = 0; round < rounds; round++) {
        pid_t child;
        int error = posix_spawnp(&child, argv[3], &actions, NULL, argv + 3, environ);
        if (error != 0) {
            fprintf(stderr, "cpu-time: %s: %s\n", argv[3], strerror(error));
            return 2;
        }
        struct rusage usage;
        wait4(child, &status, 0, &usage);
        times[round] = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
        sum += times[round];
    }
    qsort(times, rounds, sizeof *times, compare);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    printf("%.3f %.3f %d\n", times[rounds / 2], sum / rounds, code);
    return 0;
}
