//! Cases: damaged files, and what came of reading them.

use std::any::Any;
use std::env;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::thread;

use rand::{Rng, SeedableRng};
use rustix::time::{ClockId, clock_gettime};

use crate::watchdog::{self, Progress};
use crate::{Meter, Random, change_bytes};

/// The most processor time that a case may take.
pub const SECONDS: f64 = 5.0;
/// So many failures are told of.
const TOLD: usize = 8;

/// Whether a reader took a file for a valid one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// It did.
    Accepted,
    /// It did not, and said so.
    Refused,
}

impl<T, E> From<&Result<T, E>> for Read {
    fn from(result: &Result<T, E>) -> Read {
        if result.is_ok() { Read::Accepted } else { Read::Refused }
    }
}

/// Changes a file, with another one at hand to take parts of.
pub type Change<'a> = &'a dyn Fn(&mut Random, &mut Vec<u8>, &[u8]);

/// How files of a format are damaged and read.
pub struct Damage<'a> {
    /// The format.
    pub name: &'a str,
    /// Valid files.
    pub files: Vec<Vec<u8>>,
    /// Changes a file; [`change_bytes`] unless the format knows better.
    pub change: Change<'a>,
    /// So many cases if nobody says how many.
    pub cases: u64,
    /// The most memory that reading may take beside a multiple of the file's length, in bytes.
    pub memory: u64,
    /// That multiple.
    pub factor: u64,
}

impl Default for Damage<'_> {
    fn default() -> Self {
        Damage { name: "", files: Vec::new(), change: &change_bytes, cases: 1000, memory: 1 << 20, factor: 64 }
    }
}

/// What came of all cases.
#[derive(Debug, Default)]
struct Sum {
    accepted: u64,
    most_memory: u64,
    most_seconds: f64,
    failures: Vec<String>,
}

/// One test at a time, so that processor time is that of its case.
static ALONE: Mutex<()> = Mutex::new(());

impl Damage<'_> {
    /// Reads all cases, and panics if one of them fails.
    pub fn read(&self, mut reader: impl FnMut(&[u8]) -> Read) {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, cases) = (variable("BYWAY_FUZZ_FIRST").unwrap_or(0), variable("BYWAY_FUZZ_CASES"));
        let cases = cases.unwrap_or(self.cases);
        for file in &self.files {
            assert_eq!(reader(file), Read::Accepted, "{}: a valid file is refused", self.name);
        }
        let (progress, mut sum) = (Progress::default(), Sum::default());
        thread::scope(|scope| {
            scope.spawn(|| watchdog::watch(self.name, &progress));
            for case in first..first + cases {
                progress.case.store(case, Ordering::Relaxed);
                self.read_one(case, &mut reader, &mut sum);
            }
            progress.done.store(true, Ordering::Relaxed);
        });
        let Sum { accepted, most_memory, most_seconds, failures } = &sum;
        eprintln!(
            "{}: {cases} cases, {accepted} accepted, {} failed, at most {most_memory} bytes and {:.1} ms",
            self.name,
            failures.len(),
            most_seconds * 1000.0
        );
        assert!(failures.is_empty(), "{} of {cases} cases:\n{}", failures.len(), told(failures));
    }

    /// The file of a case.
    fn file(&self, case: u64) -> Vec<u8> {
        let mut random = Random::seed_from_u64(case);
        let [mut file, other] = [0; 2].map(|_| self.files[random.random_range(0..self.files.len())].clone());
        (self.change)(&mut random, &mut file, &other);
        file
    }

    fn read_one(&self, case: u64, reader: &mut impl FnMut(&[u8]) -> Read, sum: &mut Sum) {
        let file = self.file(case);
        let begun = thread_seconds();
        Meter::begin();
        let read = panic::catch_unwind(AssertUnwindSafe(|| reader(&file)));
        let (memory, seconds) = (Meter::most(), thread_seconds() - begun);
        let allowed = self.memory + self.factor * file.len() as u64;
        let mut fail = |why: String| sum.failures.push(format!("case {case} ({} bytes): {why}", file.len()));
        match read {
            Err(payload) => fail(format!("panicked: {}", message(&*payload))),
            Ok(_) if seconds > SECONDS => fail(format!("took {seconds} s")),
            Ok(_) if memory > allowed => fail(format!("took {memory} bytes, allowed are {allowed}")),
            Ok(read) => sum.accepted += u64::from(read == Read::Accepted),
        }
        sum.most_memory = sum.most_memory.max(memory);
        sum.most_seconds = sum.most_seconds.max(seconds);
    }
}

fn told(failures: &[String]) -> String {
    failures[..failures.len().min(TOLD)].join("\n")
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn variable(name: &str) -> Option<u64> {
    let value = env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is {value}, not a number")))
}

/// The processor time of this thread.
fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
