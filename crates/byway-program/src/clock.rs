//! Whether a program can see what time it is.

use std::path::Path;

use object::{Object, ObjectSection, ObjectSymbol, SectionKind};

use crate::dynamic::needed;

/// Libraries of the C library: they read the clock only for who calls one of [`READERS`].
const C_LIBRARY: [&str; 4] = ["libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2"];

/// Functions that tell the time or when a file was changed, or that lead to code which does: other programs, libraries and system calls.
const READERS: [&str; 60] = [
    "__clock_gettime",
    "__fxstat",
    "__fxstat64",
    "__fxstatat",
    "__fxstatat64",
    "__gettimeofday",
    "__lxstat",
    "__lxstat64",
    "__xstat",
    "__xstat64",
    "adjtime",
    "adjtimex",
    "clock",
    "clock_adjtime",
    "clock_getres",
    "clock_gettime",
    "dl_iterate_phdr",
    "dlmopen",
    "dlopen",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execveat",
    "execvp",
    "execvpe",
    "fexecve",
    "fstat",
    "fstat64",
    "fstatat",
    "fstatat64",
    "ftime",
    "fts64_open",
    "fts_open",
    "ftw",
    "ftw64",
    "getauxval",
    "getitimer",
    "getrusage",
    "gettimeofday",
    "lstat",
    "lstat64",
    "nftw",
    "nftw64",
    "ntp_gettime",
    "popen",
    "posix_spawn",
    "posix_spawnp",
    "stat",
    "stat64",
    "statx",
    "syscall",
    "sysinfo",
    "system",
    "time",
    "timer_gettime",
    "times",
    "timespec_get",
    "wait4",
];

/// Instructions that enter the kernel, or read the counter of cycles.
const INSTRUCTIONS: [&[u8]; 5] = [b"\x0f\x05", b"\x0f\x34", b"\x0f\x31", b"\x0f\x01\xf9", b"\xcd\x80"];

/// Whether what a program does may depend on when it runs, as far as whole seconds can be seen: it may, unless its file shows that it
/// calls nothing that tells the time. Reading the bytes of instructions where there are none only makes the answer `true`.
pub fn may_see_clock(path: &Path) -> bool {
    let Ok(data) = byway_file::read(path, byway_file::PROGRAM) else { return true };
    let Ok(file) = object::File::parse(&*data) else { return true };
    // A static program has its own copy of everything.
    let libraries = needed(&data);
    if libraries.is_empty() || libraries.iter().any(|library| !C_LIBRARY.contains(&library.as_str())) {
        return true;
    }
    let mut imported = file.dynamic_symbols().filter(|symbol| symbol.is_undefined());
    if imported.any(|symbol| symbol.name().map_or(true, |name| READERS.contains(&name))) {
        return true;
    }
    let code = file.sections().filter(|section| section.kind() == SectionKind::Text);
    code.map(|section| section.uncompressed_data()).any(|data| {
        let has = |data: &[u8], wanted: &[u8]| data.windows(wanted.len()).any(|bytes| bytes == wanted);
        data.map_or(true, |data| INSTRUCTIONS.iter().any(|wanted| has(&data, wanted)))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    /// What is said of a program of one line.
    fn sees_clock(line: &str, flags: &[&str]) -> bool {
        let directory = tempfile::tempdir().expect("a directory");
        let (source, program) = (directory.path().join("a.c"), directory.path().join("a"));
        fs::write(
            &source,
            format!("#include <stdio.h>\n#include <sys/stat.h>\n#include <time.h>\n#include <unistd.h>\n{line}\n"),
        )
        .expect("a source");
        let built = Command::new("clang-19").args(["-O1", "-o"]).args([&program, &source]).args(flags).status();
        assert!(built.expect("clang-19 starts").success());
        may_see_clock(&program)
    }

    #[test]
    fn what_reads_its_input_alone_sees_no_clock() {
        assert!(!sees_clock("int main(void) { char line[9]; if (fgets(line, 9, stdin)) puts(line); }", &[]));
    }

    #[test]
    fn time_can_be_seen_in_many_ways() {
        assert!(sees_clock("int main(void) { printf(\"%d\", (int)time(0)); }", &[]));
        assert!(sees_clock("int main(void) { struct stat s; stat(\".\", &s); printf(\"%d\", (int)s.st_mtime); }", &[]));
        assert!(sees_clock("int main(void) { execlp(\"date\", \"date\", (char *)0); }", &[]));
        assert!(sees_clock(
            "int main(void) { long n; __asm__(\"syscall\" : \"=a\"(n) : \"a\"(201), \"D\"(0)); printf(\"%ld\", n); }",
            &[]
        ));
        assert!(sees_clock("int main(void) { puts(\"static\"); }", &["-static"]));
    }
}
