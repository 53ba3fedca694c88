// What confined programs try, by kind, each with what it must get: `attempts` makes each attempt in a process of its own,
// prints those that got something else, and at last how many there were. `attempts NAME` makes one.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int pair[2];
static char buffer[4096];
static struct rlimit no_limit = {0, 0};
static struct sched_param normal;
static cpu_set_t processors;

static int made(int descriptor) { return descriptor; }
static int file(const char *path, int flags) { return open(path, flags | O_NONBLOCK); }
static int command(int number, long argument) { return pipe(pair) ? -1 : fcntl(pair[0], number, argument); }
static int request(unsigned long number, int argument) { return ioctl(pipe(pair) ? -1 : pair[0], number, &argument); }
// As an attacker calls it, with more in the upper half of the number than the kernel looks at.
static long wide_request(unsigned number) { return syscall(SYS_ioctl, 0, 0x12300000000ul | number, "x"); }

struct attempt {
  const char *kind, *name;
  long (*make)(void);
  int must_get;
};

#define ATTEMPTS                                                                                                       \
  T(sockets, unix_stream, made(socket(AF_UNIX, SOCK_STREAM, 0)), EACCES)                                               \
  T(sockets, unix_datagram, made(socket(AF_UNIX, SOCK_DGRAM, 0)), EACCES)                                              \
  T(sockets, datagram_pair, socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), EACCES)                                          \
  T(sockets, raw_pair, socketpair(AF_UNIX, SOCK_RAW, 0, pair), EACCES)                                                 \
  T(sockets, datagram_pair_with_flags, socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair), EACCES)                \
  T(sockets, inet_pair, socketpair(AF_INET, SOCK_STREAM, 0, pair), EOPNOTSUPP)                                         \
  T(sockets, vsock, made(socket(AF_VSOCK, SOCK_STREAM, 0)), EACCES)                                                    \
  T(sockets, packet, made(socket(AF_PACKET, SOCK_RAW, 0)), EACCES)                                                     \
  T(sockets, crypto, made(socket(AF_ALG, SOCK_SEQPACKET, 0)), EACCES)                                                  \
  T(sockets, bluetooth, made(socket(AF_BLUETOOTH, SOCK_RAW, 0)), EACCES)                                               \
  T(sockets, can, made(socket(AF_CAN, SOCK_RAW, 0)), EACCES)                                                           \
  T(sockets, tipc, made(socket(AF_TIPC, SOCK_SEQPACKET, 0)), EACCES)                                                   \
  T(sockets, netlink_audit, made(socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT)), EACCES)                                 \
  T(sockets, netlink_netfilter, made(socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER)), EACCES)                         \
  T(sockets, netlink_uevents, made(socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT)), EACCES)                      \
  T(sockets, raw_ip, made(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)), EPERM)                                             \
  T(keys, add_key, syscall(SYS_add_key, "user", "byway", "x", 1, -3), ENOSYS)                                          \
  T(keys, request_key, syscall(SYS_request_key, "user", "byway", 0, -3), ENOSYS)                                       \
  T(keys, session_keyring, syscall(SYS_keyctl, 0, -3, 0), ENOSYS)                                                      \
  T(keys, join_session, syscall(SYS_keyctl, 1, 0), ENOSYS)                                                             \
  T(keys, read_key, syscall(SYS_keyctl, 11, -3, buffer, 9), ENOSYS)                                                    \
  T(processes, stop_the_first, kill(1, SIGSTOP), EPERM)                                                                \
  T(processes, stop_a_server, kill(2, SIGSTOP), EPERM)                                                                 \
  T(processes, stop_its_group, kill(-2, SIGSTOP), EPERM)                                                               \
  T(processes, tgkill_a_server, syscall(SYS_tgkill, 2, 2, SIGSTOP), EPERM)                                             \
  T(processes, tkill_the_first, syscall(SYS_tkill, 1, SIGSEGV), EPERM)                                                 \
  T(processes, queue_a_signal, syscall(SYS_rt_sigqueueinfo, 1, SIGTERM, buffer), EPERM)                                \
  T(processes, queue_to_a_thread, syscall(SYS_rt_tgsigqueueinfo, 2, 2, SIGTERM, buffer), EPERM)                        \
  T(processes, pidfd_open, syscall(SYS_pidfd_open, 1, 0), ENOSYS)                                                      \
  T(processes, pidfd_getfd, syscall(SYS_pidfd_getfd, 0, 2, 0), ENOSYS)                                                 \
  T(processes, pidfd_send_signal, syscall(SYS_pidfd_send_signal, 0, 9, 0, 0), ENOSYS)                                  \
  T(processes, signal_by_directory, syscall(SYS_pidfd_send_signal, open("/proc/1", O_RDONLY), 9, 0, 0), ENOSYS)        \
  T(processes, owner_of_a_pipe, command(F_SETOWN, 1), EPERM)                                                           \
  T(processes, group_that_owns_a_pipe, command(F_SETOWN, -1), EPERM)                                                   \
  T(processes, owner_by_structure, command(15, (long)buffer), EPERM)                                                   \
  T(processes, owner_by_request, request(0x8901, 1), EPERM)                                                            \
  T(processes, group_by_request, request(0x8902, 1), EPERM)                                                            \
  T(processes, join_a_group, setpgid(0, 2), EPERM)                                                                     \
  T(processes, limit_the_first, syscall(SYS_prlimit64, 1, RLIMIT_NOFILE, &no_limit, 0), EPERM)                         \
  T(processes, limit_a_server, syscall(SYS_prlimit64, 2, RLIMIT_AS, &no_limit, 0), EPERM)                              \
  T(processes, priority_of_the_first, setpriority(PRIO_PROCESS, 1, 19), EPERM)                                         \
  T(processes, priority_of_all, setpriority(PRIO_USER, 0, 19), EPERM)                                                  \
  T(processes, io_priority, syscall(SYS_ioprio_set, 1, 1, 3 << 13), EPERM)                                             \
  T(processes, io_priority_of_all, syscall(SYS_ioprio_set, 3, 0, 3 << 13), EPERM)                                      \
  T(processes, processors_of_the_first, sched_setaffinity(1, sizeof processors, &processors), EPERM)                   \
  T(processes, scheduler_of_the_first, sched_setscheduler(1, SCHED_IDLE, &normal), EPERM)                              \
  T(processes, parameters_of_the_first, sched_setparam(1, &normal), EPERM)                                             \
  T(processes, attributes_of_the_first, syscall(SYS_sched_setattr, 1, buffer, 0), EPERM)                               \
  T(processes, seize_the_first, ptrace(PTRACE_SEIZE, 1, 0, 0), EPERM)                                                  \
  T(processes, attach_to_a_server, ptrace(PTRACE_ATTACH, 2, 0, 0), EPERM)                                              \
  T(processes, read_its_memory, syscall(SYS_process_vm_readv, 1, buffer, 1, buffer, 1, 0), EPERM)                      \
  T(processes, write_its_memory, syscall(SYS_process_vm_writev, 1, buffer, 1, buffer, 1, 0), EPERM)                    \
  T(processes, open_its_memory, file("/proc/1/mem", O_RDONLY), EACCES)                                                 \
  T(processes, write_to_its_memory, file("/proc/1/mem", O_RDWR), EROFS)                                                \
  T(processes, its_environment, file("/proc/1/environ", O_RDONLY), EACCES)                                             \
  T(processes, its_descriptors, readlink("/proc/1/fd/0", buffer, sizeof buffer), EACCES)                               \
  T(processes, its_root, readlink("/proc/1/root", buffer, sizeof buffer), EACCES)                                      \
  T(processes, its_standard_error, file("/proc/1/fd/2", O_WRONLY), EACCES)                                             \
  T(processes, compare, syscall(SYS_kcmp, 1, 1, 0, 0, 0), ENOSYS)                                                      \
  T(processes, advise, syscall(SYS_process_madvise, 0, buffer, 1, 4, 0), ENOSYS)                                       \
  T(processes, release, syscall(SYS_process_mrelease, 0, 0), ENOSYS)                                                   \
  T(processes, move_pages, syscall(SYS_move_pages, 1, 0, 0, 0, 0, 0), ENOSYS)                                          \
  T(namespaces, user, unshare(CLONE_NEWUSER), EPERM)                                                                   \
  T(namespaces, mounts, unshare(CLONE_NEWNS), EPERM)                                                                   \
  T(namespaces, network, unshare(CLONE_NEWNET), EPERM)                                                                 \
  T(namespaces, processes_of_its_own, unshare(CLONE_NEWPID), EPERM)                                                    \
  T(namespaces, child_with_user, syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0), EPERM)                       \
  T(namespaces, child_of_the_parent, syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0), EPERM)                    \
  T(namespaces, clone3, syscall(SYS_clone3, buffer, 88), ENOSYS)                                                       \
  T(namespaces, enter, setns(open("/proc/self/ns/mnt", O_RDONLY), 0), EPERM)                                           \
  T(mounts, mount, mount("tmpfs", "/tmp", "tmpfs", 0, 0), EPERM)                                                       \
  T(mounts, remount, mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0), EPERM)                                                 \
  T(mounts, umount, umount2("/proc", MNT_DETACH), EPERM)                                                               \
  T(mounts, pivot_root, syscall(SYS_pivot_root, ".", "."), EPERM)                                                      \
  T(mounts, chroot, chroot("."), EPERM)                                                                                \
  T(mounts, open_tree, syscall(SYS_open_tree, AT_FDCWD, "/", 1), EPERM)                                                \
  T(mounts, fsopen, syscall(SYS_fsopen, "tmpfs", 0), EPERM)                                                            \
  T(mounts, mount_setattr, syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, buffer, 32), EPERM)                            \
  T(mounts, move_mount, syscall(SYS_move_mount, AT_FDCWD, "/", AT_FDCWD, "/tmp", 0), EPERM)                            \
  T(mounts, file_by_handle, syscall(SYS_open_by_handle_at, AT_FDCWD, buffer, 0), EPERM)                                \
  T(kernel, io_uring, syscall(SYS_io_uring_setup, 1, buffer), ENOSYS)                                                  \
  T(kernel, bpf, syscall(SYS_bpf, 5, buffer, 64), EPERM)                                                               \
  T(kernel, perf, syscall(SYS_perf_event_open, buffer, 0, -1, -1, 0), EPERM)                                           \
  T(kernel, userfaultfd, syscall(SYS_userfaultfd, 1), EPERM)                                                           \
  T(kernel, kexec, syscall(SYS_kexec_load, 0, 0, 0, 0), EPERM)                                                         \
  T(kernel, load_a_module, syscall(SYS_init_module, buffer, 1, ""), EPERM)                                             \
  T(kernel, load_a_module_file, syscall(SYS_finit_module, 0, "", 0), EPERM)                                            \
  T(kernel, remove_a_module, syscall(SYS_delete_module, "x", 0), EPERM)                                                \
  T(kernel, swap, syscall(SYS_swapon, "x", 0), EPERM)                                                                  \
  T(kernel, reboot, syscall(SYS_reboot, 0, 0, 0, 0), EPERM)                                                            \
  T(kernel, log, syscall(SYS_syslog, 3, buffer, 10), EPERM)                                                            \
  T(kernel, host_name, sethostname("x", 1), EPERM)                                                                     \
  T(kernel, clock, syscall(SYS_settimeofday, buffer, 0), EPERM)                                                        \
  T(kernel, quota, syscall(SYS_quotactl, 0, 0, 0, 0), EPERM)                                                           \
  T(kernel, accounting, syscall(SYS_acct, "x"), EPERM)                                                                 \
  T(kernel, fanotify, syscall(SYS_fanotify_init, 0x200, 0), EPERM)                                                     \
  T(kernel, asynchronous_io, syscall(SYS_io_setup, 1, buffer), ENOSYS)                                                 \
  T(kernel, a_call_of_tomorrow, syscall(600), ENOSYS)                                                                  \
  T(kernel, the_second_set_of_calls, syscall(0x40000000 | SYS_getpid), ENOSYS)                                         \
  T(kernel, core_pattern, file("/proc/sys/kernel/core_pattern", O_WRONLY), EROFS)                                      \
  T(kernel, domain_name, file("/proc/sys/kernel/domainname", O_WRONLY), EROFS)                                         \
  T(memory, of_nobody, syscall(SYS_memfd_create, "x", 0), ENOSYS)                                                      \
  T(memory, secret, syscall(SYS_memfd_secret, 0), ENOSYS)                                                              \
  T(memory, system_v, syscall(SYS_shmget, IPC_PRIVATE, 4096, 0600), ENOSYS)                                            \
  T(memory, semaphores, syscall(SYS_semget, IPC_PRIVATE, 1, 0600), ENOSYS)                                             \
  T(memory, messages, syscall(SYS_msgget, IPC_PRIVATE, 0600), ENOSYS)                                                  \
  T(memory, message_queue, syscall(SYS_mq_open, "x", O_CREAT, 0600, 0), ENOSYS)                                        \
  T(files, lease, fcntl(open("/etc/passwd", O_RDONLY), F_SETLEASE, F_RDLCK), EINVAL)                                   \
  T(files, a_device_of_its_own, mknod("disk", S_IFBLK | 0600, makedev(254, 0)), EPERM)                                 \
  T(files, a_disk, file("/dev/vda", O_RDONLY), ENOENT)                                                                 \
  T(files, kernel_memory, file("/dev/mem", O_RDONLY), ENOENT)                                                          \
  T(files, fuse, file("/dev/fuse", O_RDWR), ENOENT)                                                                    \
  T(files, write_a_control_file, file("/proc/self/oom_score_adj", O_WRONLY), EROFS)                                    \
  T(terminals, type_for_the_user, ioctl(0, TIOCSTI, "x"), EPERM)                                                       \
  T(terminals, type_with_a_wide_number, wide_request(TIOCSTI), EPERM)                                                  \
  T(terminals, console, ioctl(0, TIOCLINUX, "\3"), EPERM)                                                              \
  T(terminals, of_the_user, file("/dev/tty", O_RDWR), ENXIO)                                                           \
  T(rights, more_processes, setrlimit(RLIMIT_NPROC, &(struct rlimit){100000, 100000}), EPERM)                          \
  T(rights, larger_files, setrlimit(RLIMIT_FSIZE, &(struct rlimit){1l << 40, 1l << 40}), EPERM)

#define T(kind, name, call, must_get)                                                                                  \
  static long kind##_##name(void) { return call; }
ATTEMPTS
#undef T
#define T(kind, name, call, must_get) {#kind, #name, kind##_##name, must_get},
static const struct attempt attempts[] = {ATTEMPTS};

// What an attempt got: an error, or 0 if it succeeded.
static int got(const struct attempt *attempt) {
  int status = 0, child = fork();
  if (child == 0) {
    errno = 0;
    _exit(attempt->make() < 0 ? errno : 0);
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

int main(int count, char **arguments) {
  int number = 0;
  for (size_t index = 0; index < sizeof attempts / sizeof *attempts; index++) {
    const struct attempt *attempt = attempts + index;
    if (count > 1 && strcmp(arguments[1], attempt->name))
      continue;
    int result = got(attempt);
    number++;
    if (result != attempt->must_get)
      printf("%s: %s: got %s, must get %s\n", attempt->kind, attempt->name, result ? strerror(result) : "it",
             strerror(attempt->must_get));
  }
  printf("%d attempts\n", number);
}
