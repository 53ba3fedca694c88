// Programs that do harm, or try to: `deeds DEED [WHERE]`. Each tries all it can, says what it was allowed to do, and
// ends with the number of things that were.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

static int allowed;

static void tried(const char *what, long result) {
  if (result >= 0) {
    printf("allowed: %s\n", what);
    allowed++;
  }
}

static const char *at(const char *where, const char *name) {
  static char paths[8][4096];
  static int next;
  char *path = paths[next++ % 8];
  snprintf(path, 4096, "%s/%s", where, name);
  return path;
}

static void remove_all(const char *where) {
  DIR *directory = opendir(where);
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
      if (entry->d_type == DT_DIR) {
        remove_all(at(where, entry->d_name));
        tried("rmdir", rmdir(at(where, entry->d_name)));
      } else
        tried("unlink", unlink(at(where, entry->d_name)));
}

static void change(const char *where) {
  struct utimbuf times = {1, 1};
  // Before we open files of our own.
  for (int file = 3; file < 100; file++)
    tried("a descriptor that is left", fcntl(file, F_GETFD));
  tried("create", open(at(where, "new"), O_CREAT | O_WRONLY, 0600));
  tried("write", open(at(where, "file"), O_WRONLY));
  tried("truncate", truncate(at(where, "file"), 0));
  tried("chmod", chmod(at(where, "file"), 0777));
  tried("chown", chown(at(where, "file"), 12, 12));
  tried("utime", utime(at(where, "file"), &times));
  tried("rename", rename(at(where, "file"), at(where, "other")));
  tried("rename here", rename(at(where, "file"), "here"));
  tried("link", link(at(where, "file"), at(where, "linked")));
  tried("symlink", symlink("x", at(where, "symlink")));
  tried("mkdir", mkdir(at(where, "made"), 0700));
  tried("mkfifo", mkfifo(at(where, "madefifo"), 0600));
  tried("mknod", mknod(at(where, "device"), S_IFCHR | 0600, makedev(1, 3)));
  tried("setxattr", syscall(SYS_setxattr, at(where, "file"), "user.x", "x", 1, 0));
  tried("write a fifo", open(at(where, "fifo"), O_RDWR | O_NONBLOCK));
  tried("write through a descriptor", open("/proc/self/fd/0", O_RDWR));
}

static void sockets(const char *where, const char *port) {
  struct sockaddr_in internet = {AF_INET, htons(atoi(port)), {htonl(INADDR_LOOPBACK)}, {0}};
  struct sockaddr_un local = {AF_UNIX, ""};
  snprintf(local.sun_path, sizeof local.sun_path, "%s/socket", where);
  int stream = socket(AF_INET, SOCK_STREAM, 0), datagram = socket(AF_INET, SOCK_DGRAM, 0);
  tried("tcp", connect(stream, (void *)&internet, sizeof internet));
  tried("udp", sendto(datagram, "x", 1, 0, (void *)&internet, sizeof internet));
  internet.sin_addr.s_addr = inet_addr("8.8.8.8");
  tried("udp far away", sendto(datagram, "x", 1, 0, (void *)&internet, sizeof internet));
  tried("unix", connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&local, sizeof local));
  tried("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
}

// What is locked elsewhere can be had here: the locks are others.
static void locks(const char *path) {
  struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  int file = open(path, O_RDONLY);
  tried("lock", flock(file, LOCK_EX | LOCK_NB));
  tried("lock by process", fcntl(file, F_SETLK, &whole));
  tried("lock by description", fcntl(file, F_OFD_SETLK, &whole));
}

// Pairs of sockets that are then given the address of another.
static void pair(const char *path) {
  struct sockaddr_un other = {AF_UNIX, ""};
  snprintf(other.sun_path, sizeof other.sun_path, "%s", path);
  int kinds[] = {SOCK_DGRAM, SOCK_RAW, SOCK_STREAM, SOCK_SEQPACKET}, both[2];
  for (int kind = 0; kind < 4; kind++) {
    if (socketpair(AF_UNIX, kinds[kind], 0, both))
      continue;
    // These send to each other, whatever the address is.
    if (kinds[kind] != SOCK_SEQPACKET)
      tried("send to another", sendto(both[0], "x", 1, 0, (void *)&other, sizeof other));
    tried("connect to another", connect(both[0], (void *)&other, sizeof other));
  }
}

static void escape(const char *where) {
  tried("remount", mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0));
  tried("mount", mount("tmpfs", where, "tmpfs", 0, 0));
  tried("umount", umount2("/proc", MNT_DETACH));
  tried("umount the directory", umount2(".", MNT_DETACH));
  tried("namespaces", unshare(CLONE_NEWUSER | CLONE_NEWNS));
  tried("more mounts", unshare(CLONE_NEWNS));
  tried("chroot", chroot(where));
  tried("sysrq", open("/proc/sysrq-trigger", O_WRONLY));
  tried("sysctl", open("/proc/sys/kernel/core_pattern", O_WRONLY));
  tried("disk", open("/dev/vda", O_RDWR));
  tried("make a disk", mknod("disk", S_IFBLK | 0600, makedev(254, 0)));
  tried("trace the first process", ptrace(PTRACE_SEIZE, 1, 0, 0));
  tried("become another", setresuid(65534, 65534, 65534) == 0 && getuid() == 0 ? 0 : -1);
  tried("memory of nobody", syscall(SYS_memfd_create, "x", 0));
  tried("shared memory", shmget(IPC_PRIVATE, 4096, 0600));
  tried("host name", sethostname("x", 1));
  tried("load", syscall(SYS_bpf, 5, 0, 0));
}

static void forks(void) {
  // All of them stay: what is allowed is the number of processes.
  int made = 0;
  for (; made < 100000; made++) {
    int child = fork();
    if (child < 0)
      break;
    if (child == 0) {
      setsid();
      signal(SIGTERM, SIG_IGN);
      for (;;)
        if (fork() < 0)
          usleep(1000);
    }
  }
  printf("%d\n", made);
  fflush(stdout);
  pause();
}

static void fill_disk(void) {
  static char block[1 << 16];
  int number = 0;
  for (long result = 1; result > 0; number++) {
    char name[32];
    snprintf(name, sizeof name, "fill%d", number);
    int file = open(name, O_CREAT | O_WRONLY, 0600);
    if (file < 0)
      break;
    for (int count = 0; count < 64 && (result = write(file, block, sizeof block)) > 0; count++)
      ;
    close(file);
  }
  printf("%s\n", strerror(errno));
}

static void fill_memory(int shared) {
  for (;;) {
    char *block = mmap(0, 1 << 24, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | (shared ? MAP_SHARED : MAP_PRIVATE), -1, 0);
    if (block == MAP_FAILED)
      exit(3);
    memset(block, 1, 1 << 24);
  }
}

// Shared memory that is written and then not mapped in any more.
static void fill_unmapped(void) {
  for (;;) {
    char *block = mmap(0, 1 << 24, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
    if (block == MAP_FAILED)
      exit(3);
    memset(block, 1, 1 << 24);
    madvise(block, 1 << 24, MADV_DONTNEED);
  }
}

// A page table for each page that is read: the pages are all the same one.
static void fill_tables(void) {
  for (;;) {
    volatile char *block =
        mmap(0, 1l << 32, PROT_READ, MAP_ANONYMOUS | MAP_PRIVATE | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
      exit(3);
    for (long at = 0; at < 1l << 32; at += 1 << 21)
      block[at];
  }
}

static void fill_buffers(void) {
  static char block[1 << 16];
  for (;;) {
    int both[2];
    if (fork() == 0) {
      while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, both) == 0)
        for (int side = 0; side < 2; side++)
          while (write(both[side], block, sizeof block) > 0)
            ;
      pause();
    }
    usleep(1000);
  }
}

static void daemonize(void) {
  if (fork() == 0) {
    setsid();
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    if (fork() == 0)
      for (;;)
        pause();
    _exit(0);
  }
  wait(0);
}

// What is allowed within an area.
static void shuffle(void) {
  tried("mkdir", mkdir("a", 0700));
  tried("mkdir", mkdir("b", 0000));
  close(open("a/file", O_CREAT | O_WRONLY, 0600));
  tried("rename across", rename("a/file", "file"));
  tried("link", link("file", "a/link"));
  tried("rename a directory", rename("a", "b/a") && rename("a", "c"));
  tried("symlink", symlink("nowhere", "dangling"));
  tried("mkfifo", mkfifo("fifo", 0600));
  tried("chmod", chmod(".", 0500));
}

static void large_file(void) {
  int file = open("large", O_CREAT | O_WRONLY, 0600);
  static char block[1 << 16];
  while (write(file, block, sizeof block) > 0)
    ;
}

static void overflow(int length) {
  char *block = malloc(length);
  block[length] = 1;
  free(block);
}

int main(int count, char **arguments) {
  const char *deed = count > 1 ? arguments[1] : "nothing", *where = count > 2 ? arguments[2] : ".";
  setvbuf(stdout, 0, _IOLBF, 0);
  if (!strcmp(deed, "remove"))
    remove_all(where);
  else if (!strcmp(deed, "delete")) {
    remove_all(where);
    tried("delete", remove(where));
  } else if (!strcmp(deed, "change"))
    change(where);
  else if (!strcmp(deed, "sockets"))
    sockets(where, arguments[3]);
  else if (!strcmp(deed, "pair"))
    pair(where);
  else if (!strcmp(deed, "locks"))
    locks(where);
  else if (!strcmp(deed, "lease"))
    tried("lease", fcntl(open(where, O_RDONLY), F_SETLEASE, F_RDLCK));
  else if (!strcmp(deed, "escape"))
    escape(where);
  else if (!strcmp(deed, "fork"))
    forks();
  else if (!strcmp(deed, "disk"))
    fill_disk();
  else if (!strcmp(deed, "memory"))
    fill_memory(0);
  else if (!strcmp(deed, "unmapped-memory"))
    fill_unmapped();
  else if (!strcmp(deed, "page-tables"))
    fill_tables();
  else if (!strcmp(deed, "buffers"))
    fill_buffers();
  else if (!strcmp(deed, "shared-memory"))
    fill_memory(1);
  else if (!strcmp(deed, "loop"))
    for (;;)
      ;
  else if (!strcmp(deed, "daemon"))
    daemonize();
  else if (!strcmp(deed, "shuffle"))
    shuffle();
  else if (!strcmp(deed, "overflow"))
    overflow(count);
  else if (!strcmp(deed, "large"))
    large_file();
  else if (!strcmp(deed, "kill")) {
    tried("kill the first process", kill(1, SIGKILL) == 0 ? -1 : -1);
    kill(-1, SIGKILL);
    kill(1, SIGKILL);
  } else if (!strcmp(deed, "cat")) {
    char block[4096];
    int file = open(where, O_RDONLY);
    if (file < 0)
      return 99;
    for (long got; (got = read(file, block, sizeof block)) > 0;)
      if (write(1, block, got) < 0)
        return 98;
  } else if (!strcmp(deed, "append")) {
    int file = open(where, O_WRONLY | O_APPEND | O_CREAT, 0600);
    tried("append", write(file, "more", 4));
  } else if (!strcmp(deed, "where"))
    puts(getcwd(0, 0));
  return allowed;
}
