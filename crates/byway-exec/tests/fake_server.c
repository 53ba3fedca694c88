// Speaks the protocol of a fork server. The first argument of a run says what it does.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// MAGIC is that of the layout.

struct request {
    char magic[8];
    uint32_t arguments, bytes, least, most, names, objects, stdin_most, patterns, variables, padding;
};

struct reply {
    char magic[8];
    int32_t process, status;
    uint64_t cpu, blocks;
};

static int channel;

static void say(int process, int status, uint64_t cpu) {
    struct reply reply = {.process = process, .status = status, .cpu = cpu, .blocks = 7};
    memcpy(reply.magic, MAGIC, 8);
    write(channel, &reply, sizeof reply);
}

static void child(const int *files, char **arguments, int count, const char *pattern, const char *variable) {
    for (int i = 0; i < 3; i++)
        dup2(files[1 + i], i);
    if (fchdir(files[4]))
        _exit(99);
    if (count > 1 && !strcmp(arguments[1], "fail"))
        _exit(125);
    // The number of nodes: a run has begun.
    uint32_t one = 1;
    pwrite(files[0], &one, sizeof one, 40);
    const char *what = count > 1 ? arguments[1] : "";
    if (!strcmp(what, "echo")) {
        char buffer[100], directory[1000];
        long n = read(0, buffer, sizeof buffer);
        printf("%s %d %s %s %s ", arguments[0], count, arguments[2], pattern, getcwd(directory, sizeof directory));
        fflush(stdout);
        write(1, buffer, n);
        write(2, "error", 5);
    } else if (!strcmp(what, "variable")) {
        write(1, variable, strlen(variable));
    } else if (!strcmp(what, "sleep")) {
        sleep(100);
    } else if (!strcmp(what, "abort")) {
        raise(SIGABRT);
    } else if (!strcmp(what, "damage")) {
        pwrite(files[0], "damaged", 7, 0);
    } else if (!strcmp(what, "orphan")) {
        kill(getppid(), SIGKILL);
    }
    _exit(count);
}

static int serve(void) {
    struct request request;
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(5 * sizeof(int))];
    } control;
    struct iovec part = {&request, sizeof request};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(channel, &message, 0) != sizeof request || memcmp(request.magic, MAGIC, 8))
        return 0;
    int files[5];
    memcpy(files, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof files);
    char *texts = malloc(request.bytes), *arguments[100] = {0}, *next;
    for (uint32_t got = 0; got < request.bytes;)
        got += read(channel, texts + got, request.bytes - got);
    const uint32_t *rooms = (const uint32_t *)texts;
    char *pattern = texts + 4 * (request.arguments + request.objects + request.names);
    next = pattern;
    for (uint32_t i = 0; i < request.patterns; i++)
        next += strlen(next) + 1;
    if (next == pattern)
        pattern = "";
    for (uint32_t i = 0; i < request.arguments; next += (rooms[i++] & 0x7fffffff) + 1)
        arguments[i] = next;
    for (uint32_t i = 0; i < request.names; i++)
        next += strlen(next) + 1;
    const char *variable = request.variables > 1 ? next : "";
    if (arguments[1] && !strcmp(arguments[1], "leave"))
        exit(33);
    if (arguments[1] && !strcmp(arguments[1], "nonsense"))
        return write(channel, "nonsense and nonsense, nonsense", 32) > 0;
    int process = fork(), status;
    if (!process)
        child(files, arguments, request.arguments, pattern, variable);
    say(process, 0, 0);
    waitpid(process, &status, 0);
    say(process, status, 1234567);
    for (int i = 0; i < 5; i++)
        close(files[i]);
    free(texts);
    return 1;
}

int main(void) {
    const char *number = getenv("BYWAY_SERVER");
    if (!number || getenv("FAIL"))
        return 7;
    channel = atoi(number);
    say(0, 0, 0);
    while (serve())
        ;
    return 0;
}
