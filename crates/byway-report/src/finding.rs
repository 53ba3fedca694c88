//! A finding: something that a program does wrong, where, and how it got there.

use serde::{Deserialize, Serialize};

use crate::anchor::Anchor;

/// Something that a program does wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What is wrong: as AddressSanitizer calls it (`heap-buffer-overflow`, `SEGV`), as clang's `-fsanitize=` calls the
    /// check of UndefinedBehaviorSanitizer (`signed-integer-overflow`, `null`), or `abort`, `assertion-failure`, `hang`,
    /// `out-of-memory`, or the name of a signal.
    pub kind: String,
    /// What is wrong, in words, without addresses.
    pub message: String,
    /// The source file: that of the first frame in the program's own sources.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The column in it.
    pub column: Option<u32>,
    /// The function.
    pub function: Option<String>,
    /// How the program got there, innermost first, up to `main`.
    pub stack: Vec<Frame>,
    /// What was done to memory: `READ of size 4`.
    pub access: Option<String>,
    /// What memory that was.
    pub object: Option<AccessedObject>,
    /// What this led to in the same run: the `SEGV` of an access through a `null` pointer. By kind, with its place if that is
    /// another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<String>,
    /// Other places where the same freed object is used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<ObjectUse>,
    /// The reports that come before this one in every run that shows it. A program that ends with its first report does not
    /// get here: AddressSanitizer has to go on (`halt_on_error=0`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<String>,
    /// The place, as it stays when lines move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
}

/// A use of an object that is not there any more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectUse {
    /// What the use is: `double-free`, `heap-use-after-free`.
    pub kind: String,
    /// The source file.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The column in it.
    pub column: Option<u32>,
    /// The function.
    pub function: Option<String>,
}

/// One call of a stack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The function, as far as it is known.
    pub function: Option<String>,
    /// The source file.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The column in it.
    pub column: Option<u32>,
    /// The program or library that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The place, as it stays when lines move; only of those that findings are known by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
}

/// The memory that an access was about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessedObject {
    /// What it is, and where the access was: `3 bytes after 4-byte region`.
    pub description: String,
    /// Where it was allocated; of a variable on the stack, its function.
    pub allocated: Vec<Frame>,
    /// Where it was freed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub freed: Vec<Frame>,
}

/// Where libraries of the system are.
const SYSTEM_MODULES: [&str; 5] = ["/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "linux-vdso"];
/// Where headers of the system are.
const SYSTEM_SOURCES: [&str; 3] = ["/usr/include/", "/usr/lib/", "/usr/local/include/"];
/// What the paths of the C library's own sources look like, where the module is not known.
const LIBRARY_SOURCES: [&str; 4] = ["csu/", "nptl/", "stdlib/", "/sysdeps/"];

impl Frame {
    /// Whether this is a line of the program's own sources: not of a library of the system, of its headers, or of the
    /// sanitizers.
    pub fn is_own(&self) -> bool {
        let Some(file) = self.file.as_deref().filter(|_| self.line.is_some()) else { return false };
        let in_header = SYSTEM_SOURCES.iter().any(|place| file.starts_with(place));
        !in_header && !self.is_in_system_module() && !self.is_library_source(file)
    }

    /// Whether it is known to be in a library of the system.
    pub(crate) fn is_in_system_module(&self) -> bool {
        self.module.as_deref().is_some_and(|module| SYSTEM_MODULES.iter().any(|place| module.starts_with(place)))
    }

    fn is_library_source(&self, file: &str) -> bool {
        self.module.is_none() && !file.starts_with('/') && LIBRARY_SOURCES.iter().any(|part| file.contains(part))
    }

    /// Whether the program has not begun yet here.
    pub(crate) fn is_before_main(&self) -> bool {
        self.function.as_deref().is_some_and(|name| name.starts_with("__libc_start") || name == "_start")
    }
}

impl std::fmt::Display for Finding {
    /// One line: `heap-buffer-overflow at cut.c:12:3 in parse`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.place_of_use().fmt(formatter)
    }
}

impl std::fmt::Display for ObjectUse {
    /// One line: `double-free at cut.c:12:3 in parse`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.kind)?;
        if let Some(file) = &self.file {
            write!(formatter, " at {file}")?;
        }
        for number in [self.line, self.column].into_iter().flatten() {
            write!(formatter, ":{number}")?;
        }
        match &self.function {
            Some(function) => write!(formatter, " in {function}"),
            None => Ok(()),
        }
    }
}

impl Finding {
    /// Its kind and place alone.
    pub fn place_of_use(&self) -> ObjectUse {
        let Finding { kind, file, line, column, function, .. } = self.clone();
        ObjectUse { kind, file, line, column, function }
    }

    /// Adds the places of another report about the same defect, as far as they are new.
    pub fn add_places_of(&mut self, other: &Finding) {
        for place in std::iter::once(other.place_of_use()).chain(other.also.iter().cloned()) {
            let is_known = self.place_of_use() == place || self.also.contains(&place);
            if self.is_of_freed_object() && !is_known {
                self.also.push(place);
            }
        }
    }

    /// What a program says itself of its failure (`klee_report_error`).
    pub fn reported(kind: &str, message: &str, file: &str, line: u32) -> Finding {
        let (file, line) = (Some(file.to_owned()).filter(|file| !file.is_empty()), Some(line).filter(|&line| line > 0));
        Finding { kind: kind.to_owned(), message: message.to_owned(), file, line, ..Finding::default() }
    }
}
