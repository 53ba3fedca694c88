//! The system calls that a program in a sandbox may make.
//!
//! This is a list of what is allowed: what programs, the C library, the sanitizers and the runtimes of other languages need to compute, to
//! work with files, processes and threads of their own, and to talk over sockets that lead nowhere. Any other call, also
//! one that a later kernel will have, fails as it does on a kernel without it, which programs are prepared for. Calls
//! for administrators fail as they do for ordinary users.

use nix::libc::*;

/// Needed, and harmless whatever their arguments are.
pub const ALLOWED: &[&[c_long]] = &[FILES, WAITING, MEMORY, PROCESSES, TIME, SOCKETS, OLD];

#[rustfmt::skip]
const FILES: &[c_long] = &[
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev, SYS_preadv2,
    SYS_pwritev2, SYS_openat, SYS_openat2, SYS_close, SYS_close_range, SYS_lseek, SYS_fstat, SYS_newfstatat, SYS_statx,
    SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_faccessat2, SYS_dup, SYS_dup3, SYS_pipe2, SYS_sendfile, SYS_splice,
    SYS_tee, SYS_vmsplice, SYS_copy_file_range, SYS_flock, SYS_fsync, SYS_fdatasync, SYS_sync_file_range, SYS_syncfs,
    SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_fadvise64, SYS_readahead, SYS_getdents64, SYS_getcwd, SYS_chdir,
    SYS_fchdir, SYS_renameat, SYS_renameat2, SYS_mkdirat, SYS_linkat, SYS_unlinkat, SYS_symlinkat, SYS_readlinkat,
    SYS_mknodat, SYS_fchmod, SYS_fchmodat, SYS_fchmodat2, SYS_fchown, SYS_fchownat, SYS_umask, SYS_utimensat,
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr,
    SYS_llistxattr, SYS_flistxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_inotify_init1,
    SYS_inotify_add_watch, SYS_inotify_rm_watch,
];

#[rustfmt::skip]
const WAITING: &[c_long] = &[
    SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_epoll_pwait2, SYS_eventfd2,
    SYS_signalfd4, SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime,
];

#[rustfmt::skip]
const MEMORY: &[c_long] = &[
    SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_mincore, SYS_msync, SYS_brk, SYS_mlock, SYS_mlock2,
    SYS_munlock, SYS_mlockall, SYS_munlockall, SYS_mseal, SYS_membarrier, SYS_remap_file_pages, SYS_pkey_alloc,
    SYS_pkey_free, SYS_pkey_mprotect,
];

#[rustfmt::skip]
const PROCESSES: &[c_long] = &[
    SYS_execve, SYS_execveat, SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid, SYS_getpid, SYS_gettid, SYS_getppid,
    SYS_getpgid, SYS_getsid, SYS_setsid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid,
    SYS_getresgid, SYS_getgroups, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
    SYS_setfsuid, SYS_setfsgid, SYS_setgroups, SYS_capget, SYS_capset, SYS_prctl, SYS_personality, SYS_seccomp,
    SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self, SYS_set_tid_address,
    SYS_set_robust_list, SYS_futex, SYS_futex_waitv, SYS_rseq, SYS_getcpu, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_sigaltstack, SYS_restart_syscall,
    SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getscheduler, SYS_sched_getparam, SYS_sched_getattr,
    SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_sched_rr_get_interval, SYS_getpriority, SYS_ioprio_get,
    SYS_setrlimit, SYS_getrlimit, SYS_getrusage, SYS_sysinfo, SYS_uname, SYS_getrandom,
];

#[rustfmt::skip]
const TIME: &[c_long] = &[
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times, SYS_getitimer,
    SYS_setitimer, SYS_timer_create, SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun, SYS_timer_delete,
];

/// A socket is made by `socket` and `socketpair`, which are looked at.
#[rustfmt::skip]
const SOCKETS: &[c_long] = &[
    SYS_bind, SYS_connect, SYS_listen, SYS_accept, SYS_accept4, SYS_getsockname, SYS_getpeername, SYS_getsockopt,
    SYS_setsockopt, SYS_shutdown, SYS_sendto, SYS_sendmsg, SYS_sendmmsg, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg,
];

/// Calls that newer machines do not have.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const OLD: &[c_long] = &[
    SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_dup2, SYS_pipe, SYS_getdents, SYS_rename, SYS_mkdir,
    SYS_rmdir, SYS_link, SYS_unlink, SYS_symlink, SYS_readlink, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime,
    SYS_utimes, SYS_futimesat, SYS_inotify_init, SYS_poll, SYS_select, SYS_epoll_create, SYS_epoll_wait, SYS_eventfd,
    SYS_signalfd, SYS_fork, SYS_vfork, SYS_getpgrp, SYS_arch_prctl, SYS_alarm, SYS_pause, SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[c_long] = &[];

/// For administrators: whoever is none is told so.
#[rustfmt::skip]
pub const PRIVILEGED: &[c_long] = &[
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig,
    SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_setns, SYS_open_by_handle_at, SYS_swapon, SYS_swapoff, SYS_reboot,
    SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_acct, SYS_quotactl, SYS_sethostname,
    SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_syslog, SYS_vhangup,
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_fanotify_init,
];

/// Calls that act on a process, and which argument names it. None of them reaches what holds the runs.
pub const ON_PROCESSES: &[(c_long, u32)] = &[
    (SYS_kill, 0),
    (SYS_tgkill, 0),
    (SYS_tkill, 0),
    (SYS_rt_sigqueueinfo, 0),
    (SYS_rt_tgsigqueueinfo, 0),
    (SYS_setpgid, 1),
    (SYS_ptrace, 1),
    (SYS_process_vm_readv, 0),
    (SYS_process_vm_writev, 0),
    (SYS_sched_setaffinity, 0),
    (SYS_sched_setscheduler, 0),
    (SYS_sched_setparam, 0),
    (SYS_sched_setattr, 0),
    (SYS_prlimit64, 0),
];
