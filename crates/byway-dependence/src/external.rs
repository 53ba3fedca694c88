//! What library functions do with memory and pointers.
//!
//! A function that is not here is assumed to read and write whatever it can reach from its arguments and from what was given to such
//! functions before, and to return an address in any of that. What libraries keep to themselves between calls, as streams and `errno`, is not
//! followed: that one call reads what another has written is no dependence. [`PointsTo::unknown`](crate::PointsTo::unknown) names those that a program
//! calls.

/// Something that a library function does. Arguments are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It returns an argument.
    Returns(usize),
    /// It returns an address in the object that an argument points into.
    ReturnsWithin(usize),
    /// It returns an address in memory of the library, whose content nobody knows.
    ReturnsForeign,
    /// It returns the address of a new object, of as many bytes as the product of some arguments says.
    Allocates(&'static [usize]),
    /// It copies memory, to the first from the second; the third is the length.
    Copies(usize, usize, Option<usize>),
    /// It writes the address of something in the object of the second argument to where the first points.
    StoresWithin(usize, usize),
    /// It writes the address of a new object to where an argument points, and data into the object.
    StoresNew(usize),
    /// It goes on in the object whose address is where an argument points: it writes another address in it there, and returns one.
    Follows(usize),
    /// It keeps an argument, and may return it later.
    Keeps(usize),
    /// It writes data behind an argument.
    Writes(usize),
    /// It writes data behind an argument, as many bytes as another says.
    Fills(usize, usize),
    /// It writes data behind all arguments from this one on.
    WritesFrom(usize),
    /// It reads what is behind its arguments.
    Reads,
    /// It calls an argument with what is behind another, and with other arguments.
    Calls(usize, &'static [usize]),
    /// The list of variable arguments begins: the argument points to it.
    BeginsArguments(usize),
    /// What it is given leaves the program, or the program ends with it.
    Output,
}

use Effect::{
    Allocates, BeginsArguments, Calls, Copies, Fills, Follows, Keeps, Output, Reads, Returns, ReturnsForeign,
    ReturnsWithin, StoresNew, StoresWithin, Writes, WritesFrom,
};

/// The functions, by what they do. Names are without what only says how they are called ([`plain`]).
const TABLE: &[(&str, &[Effect])] = &[
    // Numbers.
    (
        "abs labs llabs isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit \
         tolower toupper iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper \
         iswxdigit towlower towupper iswctype towctrans wctype wctrans btowc wctob wcwidth htonl htons ntohl ntohs ctype_get_mb_cur_max \
         getpid getppid getuid geteuid getgid getegid getpagesize isatty umask sysconf close dup dup2 lseek ftruncate fsync \
         fchmod fchown fchdir alarm sleep usleep sched_yield raise kill signbit isnan isinf finite floor ceil \
         sqrt pow exp log log10 log2 fabs fmod round rint lrint lround trunc sin cos tan floorf ceilf sqrtf powf isnanl \
         isinfl fabsl floorl ceill ldexp ldexpl random rand srand srandom clock pthread_self fork stack_chk_fail",
        &[],
    ),
    // Reading memory.
    (
        "strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll memcmp bcmp strspn strcspn wcslen wcscmp wcsncmp wcscoll \
         wmemcmp atoi atol atoll atof fnmatch mblen strverscmp access faccessat euidaccess open open64 openat openat64 creat unlink \
         unlinkat rmdir mkdir mkdirat chdir chmod fchmodat chown lchown fchownat rename renameat renameat2 link linkat symlink \
         symlinkat mknod mkfifo utime utimes utimensat futimens truncate setenv unsetenv putenv wcswidth sigismember \
         tcsetattr chroot mbsinit fpathconf pathconf execv execvp execve posix_fadvise fadvise",
        &[Reads],
    ),
    // Streams, and what the library keeps.
    (
        "fclose fflush fseek fseeko ftell ftello rewind fileno feof ferror clearerr getc fgetc getchar ungetc setvbuf setbuf \
         fpurge freading fwriting fpending closedir rewinddir tzset srand48 lrand48 closelog fgetwc getwc",
        &[Reads],
    ),
    (
        "errno_location ctype_b_loc ctype_tolower_loc ctype_toupper_loc getenv secure_getenv strerror strsignal localtime gmtime \
         localeconv setlocale nl_langinfo textdomain bindtextdomain bind_textdomain_codeset gettext dcgettext dgettext \
         ngettext dcngettext getpwnam getpwuid getgrnam getgrgid readdir readdir64 ttyname getlogin ctermid asctime ctime \
         dlsym dlerror gai_strerror getprogname",
        &[Reads, ReturnsForeign],
    ),
    ("fopen fopen64 fdopen freopen popen opendir fdopendir tmpfile", &[Reads, Allocates(&[])]),
    ("malloc valloc pvalloc alloca", &[Allocates(&[0])]),
    ("calloc", &[Allocates(&[0, 1])]),
    ("aligned_alloc memalign", &[Allocates(&[1])]),
    ("strdup strndup wcsdup canonicalize_file_name", &[Reads, Allocates(&[]), Copies(RESULT, 0, None)]),
    ("realloc", &[Allocates(&[1]), Returns(0), Copies(RESULT, 0, None)]),
    ("reallocarray", &[Allocates(&[1, 2]), Returns(0), Copies(RESULT, 0, None)]),
    ("free cfree", &[]),
    // Parts of strings.
    (
        "strchr strrchr strchrnul memchr memrchr rawmemchr strstr strcasestr strpbrk memmem basename dirname wcschr wcsrchr wcsstr \
         wmemchr index rindex",
        &[Reads, ReturnsWithin(0)],
    ),
    ("strtok", &[Reads, Writes(0), ReturnsWithin(0), Keeps(0), ReturnsForeign]),
    ("strsep", &[Reads, Follows(0)]),
    // Copying.
    (
        "memcpy memmove llvm.memcpy llvm.memmove llvm.memcpy.inline wmemcpy wmemmove",
        &[Copies(0, 1, Some(2)), Returns(0)],
    ),
    ("mempcpy", &[Copies(0, 1, Some(2)), ReturnsWithin(0)]),
    ("bcopy", &[Copies(1, 0, Some(2))]),
    ("llvm.va_copy", &[Copies(0, 1, None)]),
    ("strcpy strncpy strcat strncat wcscpy wcsncpy wcscat", &[Reads, Copies(0, 1, None), Returns(0)]),
    ("stpcpy stpncpy", &[Reads, Copies(0, 1, None), ReturnsWithin(0)]),
    ("memset llvm.memset wmemset", &[Fills(0, 2), Returns(0)]),
    ("bzero explicit_bzero", &[Fills(0, 1)]),
    // Numbers in strings.
    (
        "strtol strtoul strtoll strtoull strtoq strtouq strtod strtof strtold strtoimax strtoumax wcstol wcstoul wcstoimax \
         wcstoumax strtod_l strtol_l",
        &[Reads, StoresWithin(1, 0)],
    ),
    ("sscanf swscanf", &[Reads, WritesFrom(2)]),
    ("scanf", &[Reads, WritesFrom(1)]),
    ("fscanf", &[Reads, WritesFrom(2)]),
    ("sprintf snprintf vsprintf vsnprintf swprintf strftime wcsftime strxfrm", &[Reads, Writes(0)]),
    ("asprintf vasprintf", &[Reads, StoresNew(0)]),
    ("mbrtowc mbtowc mbrtoc32 wcrtomb c32rtomb wctomb mbrlen", &[Reads, Writes(0), WritesFrom(2)]),
    ("mbstowcs wcstombs", &[Reads, Writes(0)]),
    ("mbsrtowcs wcsrtombs", &[Reads, Writes(0), WritesFrom(3), Follows(1)]),
    ("frexp frexpl modf modfl", &[WritesFrom(1)]),
    // Input.
    ("read pread pread64 readlink readlinkat recv getrandom", &[Reads, WritesFrom(0)]),
    ("fread fgets gets fgetws", &[Reads, Writes(0), Returns(0)]),
    ("getcwd", &[Writes(0), Allocates(&[]), Returns(0)]),
    ("realpath", &[Reads, Writes(1), Allocates(&[]), Returns(1)]),
    ("getline getdelim", &[Reads, Writes(1), StoresNew(0)]),
    ("localtime_r gmtime_r", &[Reads, Writes(1), Returns(1)]),
    (
        "stat lstat fstat fstatat stat64 lstat64 fstat64 fstatat64 xstat lxstat fxstat statx statfs fstatfs statvfs fstatvfs",
        &[Reads, WritesFrom(0)],
    ),
    (
        "time gettimeofday clock_gettime clock_getres getrusage times uname gethostname getrlimit setrlimit getrlimit64 setrlimit64 \
         tcgetattr pipe pipe2 sigemptyset sigfillset sigaddset sigdelset sigprocmask pthread_sigmask mktime \
         timegm waitpid wait select poll nanosleep clock_nanosleep getgroups fcntl fcntl64 getsockopt",
        &[Reads, WritesFrom(0)],
    ),
    ("getopt getopt_long getopt_long_only", &[Reads, Writes(1)]),
    ("re_search re_match regexec re_search_2 re_match_2", &[Reads, WritesFrom(3)]),
    ("regcomp regfree re_compile_pattern re_compile_fastmap re_set_registers", &[Reads, Writes(0), Writes(2)]),
    ("re_set_syntax uflow munmap mincore sigaltstack splice copy_file_range msync madvise", &[]),
    ("mmap mmap64", &[ReturnsForeign]),
    ("sigaction", &[Reads, WritesFrom(2), Calls(1, &[])]),
    ("signal", &[Calls(1, &[]), ReturnsForeign]),
    // Callbacks.
    ("qsort", &[Reads, Writes(0), Calls(3, &[0, 0])]),
    ("qsort_r", &[Reads, Writes(0), Calls(3, &[0, 0, 4])]),
    ("bsearch", &[Reads, Calls(4, &[0, 1]), ReturnsWithin(1)]),
    ("atexit", &[Calls(0, &[])]),
    ("llvm.va_start", &[BeginsArguments(0)]),
    ("llvm.va_end", &[]),
    // Output.
    (
        "printf vprintf puts putchar putc fputc fputs fwrite fprintf vfprintf wprintf fwprintf vfwprintf putwchar fputwc putwc fputws \
         perror write pwrite pwrite64 writev dprintf vdprintf send sendto error error_at_line warn warnx err errx verr vwarn \
         psignal syslog overflow IO_putc",
        &[Reads, Output],
    ),
    (
        "exit _exit _Exit quick_exit abort assert_fail assert_perror_fail assert fortify_fail llvm.trap",
        &[Reads, Output],
    ),
];

/// In place of an argument: the result.
pub const RESULT: usize = usize::MAX;

/// What a library function does; `None` if nobody knows.
pub fn effects(name: &str) -> Option<&'static [Effect]> {
    let name = plain(name);
    let known = TABLE.iter().find(|(names, _)| names.split_ascii_whitespace().any(|known| known == name));
    // LLVM's other functions compute numbers of numbers.
    known.map(|(_, effects)| *effects).or_else(|| name.starts_with("llvm.").then_some(&[]))
}

/// Whether what a function is given leaves the program.
pub fn is_output(name: &str) -> bool {
    effects(name).is_some_and(|effects| effects.contains(&Output))
}

/// A name without what says how a function is called: that it checks sizes, takes no lock, follows a later standard.
fn plain(name: &str) -> &str {
    if name.starts_with("llvm.") {
        return name.split(".p0").next().unwrap_or(name);
    }
    let mut name = name.trim_start_matches("__");
    for prefix in ["isoc99_", "isoc23_"] {
        name = name.strip_prefix(prefix).unwrap_or(name);
    }
    for suffix in ["_chk", "_unlocked"] {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_known_by_all_its_names() {
        for name in ["strtol", "__isoc23_strtol", "fputs_unlocked", "__memcpy_chk", "llvm.memcpy.p0.p0.i64", "_exit"] {
            assert!(effects(name).is_some(), "{name}");
        }
        assert_eq!(effects("frobnicate"), None);
        assert!(is_output("__printf_chk") && is_output("_exit") && !is_output("strlen"));
    }

    #[test]
    fn no_function_is_there_twice() {
        let mut names: Vec<&str> = TABLE.iter().flat_map(|(names, _)| names.split_ascii_whitespace()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
