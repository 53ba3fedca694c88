//! How the sanitizers of the `asan` variant are set, so that their reports say what `byway_report::findings` reads.

use std::env;
use std::path::{Path, PathBuf};

/// What `llvm-symbolizer` is called, best first: the one of the clang that compiled the variant, then any.
const SYMBOLIZERS: [&str; 2] = ["llvm-symbolizer-19", "llvm-symbolizer"];

/// A frame as the sanitizers print it, and the file of the program or library that it is in.
const FRAME: &str = "    #%n %p %F %L <%m>";

/// The settings under which the `asan` variant judges an input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judge {
    /// The program that finds source positions; without one, reports have none.
    pub symbolizer: Option<PathBuf>,
    /// How many megabytes of memory the program may use, what the sanitizers need included.
    pub memory: Option<u64>,
    /// Whether asking for more memory than there can be is an error. If not, `malloc` returns `NULL` as it would without
    /// sanitizers, and the program is judged by what it makes of that.
    pub oversized_allocations: bool,
    /// Whether the program goes on behind what AddressSanitizer reports. Otherwise it ends there, as users know it.
    pub goes_on: bool,
}

impl Judge {
    /// As usual, with the symbolizer of this machine.
    pub fn new() -> Judge {
        Judge { symbolizer: find_symbolizer(), ..Judge::default() }
    }

    /// The variables that the environment of the `asan` variant needs.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let undefined = "print_stacktrace=1:report_error_type=1:print_summary=1:halt_on_error=0";
        vec![("ASAN_OPTIONS", self.address_options()), ("UBSAN_OPTIONS", undefined.to_owned())]
    }

    /// The same for a variant that finds no source positions itself: a [`Symbolizer`](crate::Symbolizer) does it later.
    pub fn environment_without_symbols(&self) -> Vec<(&'static str, String)> {
        let without = |(name, options): (&'static str, String)| (name, format!("{options}:symbolize=0"));
        self.environment().into_iter().map(without).collect()
    }

    fn address_options(&self) -> String {
        let mut options = vec![
            "detect_leaks=0".to_owned(),
            // With the defaults a program that aborts or traps says nothing of where.
            "handle_abort=1:handle_sigill=1:handle_sigtrap=1".to_owned(),
            "symbolize=1:print_summary=1:print_legend=0:color=never".to_owned(),
            format!("halt_on_error={}", u8::from(!self.goes_on)),
            format!("allocator_may_return_null={}", u8::from(!self.oversized_allocations)),
            format!("stack_trace_format=\"{FRAME}\""),
        ];
        options.extend(self.memory.map(|megabytes| format!("hard_rss_limit_mb={megabytes}")));
        let symbolizer = self.symbolizer.as_deref().map(Path::display);
        options.extend(symbolizer.map(|path| format!("external_symbolizer_path=\"{path}\"")));
        options.join(":")
    }
}

fn find_symbolizer() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let places: Vec<PathBuf> = env::split_paths(&path).chain([PathBuf::from("/usr/lib/llvm-19/bin")]).collect();
    let candidates = SYMBOLIZERS.iter().flat_map(|name| places.iter().map(move |place| place.join(name)));
    candidates.into_iter().find(|candidate| candidate.is_absolute() && candidate.is_file())
}
