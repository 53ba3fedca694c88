//! Two commits as two versions: checked out, built, and the tests of the old one recorded.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use byway_change::Ignored;
use byway_program::Subject;
use byway_suite::Suite;
use byway_variant::Cache;
use byway_versions::{Build, BuildPlace, Checkout, Commit, Occupied, Range};

use crate::command::changes::{Programs, Versions, paired, programs_below};
use crate::command::diff::{Compared, Inputs};
use crate::command::{count, interruptions};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::flags::DiffFlags;

/// The checkout, the place where its commits are built, and how.
struct Workplace {
    checkout: Checkout,
    place: BuildPlace,
    build: Build,
    cache: Cache,
    interrupted: Arc<AtomicBool>,
}

/// Versions of commits that can be compared as long as nobody else uses the place where they were built.
pub struct FromCommits {
    /// What is compared.
    pub compared: Compared,
    /// Whether the user wants it to end.
    pub interrupted: Arc<AtomicBool>,
    /// As long as it is there, nobody else moves the versions.
    _place: BuildPlace,
}

/// Builds both versions and says what is to be compared; nothing, if no program has changed.
pub fn prepare(flags: &DiffFlags, build: &str) -> Result<Option<FromCommits>, Error> {
    let inputs_given = flags.from.is_some() || flags.commits.test.is_some() || flags.symbolic.is_from_nothing();
    if !inputs_given {
        let ways = "give the command that runs the tests with --test, seeds with --from, or --sym-args";
        return Err(Error::Ask(format!("there are no inputs to compare the versions on: {ways}")));
    }
    let work = Workplace::open(flags, build)?;
    let range = range(flags)?;
    let (old, new) = work.checkout.resolve(&range, &work.place.objects())?;
    if !matches!(range, Range::ToWorkingTree(_)) && work.checkout.is_dirty()? {
        console::error(
            "changes of the working tree that are not committed are not compared: byway diff REVISION does that",
        );
    }
    if old.id == new.id {
        console::error(&format!("both versions are {}: there is nothing to compare", old.title));
        return Ok(None);
    }
    let golden = flags.compare.golden.as_ref().map(|golden| work.golden(golden)).transpose()?;
    let new = work.occupy(&new)?;
    let news = work.subjects(&new)?;
    let old = work.occupy(&old)?;
    let news = work.away(news)?;
    let names = (old.commit.title.as_str(), new.commit.title.as_str());
    let (mut programs, alone) = paired(work.subjects(&old)?, news, names);
    alone.iter().for_each(|line| console::error(line));
    if programs.is_empty() {
        let (old, new) = (&old.commit.title, &new.commit.title);
        return Err(Error::NothingInCommon(format!("{old} and {new} have no program at the same path")));
    }
    let before = programs.len();
    programs = work.changed(programs, flags)?;
    if programs.is_empty() {
        console::error(&format!("nothing changed in {}", count(before, "program")));
        return Ok(None);
    }
    let inputs = work.inputs(flags, &old)?;
    let paths = flags.arguments.iter().map(|path| below(&new.tree, &work.checkout, path)).collect();
    let names = (old.commit.title, new.commit.title);
    let compared = Compared { programs, names, golden, inputs, paths, root: new.tree, is_own_build: true };
    Ok(Some(FromCommits { compared, interrupted: work.interrupted, _place: work.place }))
}

/// What was typed as revisions.
fn range(flags: &DiffFlags) -> Result<Range, Error> {
    let text = |word: &OsString| {
        let text = word.to_str().map(str::to_owned);
        text.ok_or_else(|| Error::Ask(format!("{} is no revision", word.to_string_lossy())))
    };
    let words: Vec<String> = flags.versions.iter().map(text).collect::<Result<_, _>>()?;
    Ok(Range::parse(&words[0], words.get(1).map(String::as_str)))
}

/// A path that the user names, in the tree where versions are built.
fn below(tree: &Path, checkout: &Checkout, path: &OsString) -> PathBuf {
    let absolute = checkout.top.join(&checkout.below).join(path);
    let inside = absolute.strip_prefix(&checkout.top).map(Path::to_owned).unwrap_or_else(|_| path.into());
    // Without `.` and `..`, so that paths of files begin with it.
    let mut clean = tree.to_owned();
    for part in inside.components() {
        match part {
            std::path::Component::Normal(name) => clean.push(name),
            std::path::Component::ParentDir => drop(clean.pop()),
            _ => {}
        }
    }
    clean
}

impl Workplace {
    fn open(flags: &DiffFlags, build: &str) -> Result<Workplace, Error> {
        let here = env::current_dir().map_err(|source| Error::Pass { what: "the directory", source })?;
        let checkout = Checkout::open(&here)?;
        // What a build command of the user's makes is no program from elsewhere.
        let cache = flags.compare.runs.cache.open()?.trusting(true);
        let interrupted = interruptions()?;
        let mut activity = None;
        let waiting = || {
            const WAITING: &str = "another byway diff, or a build that it began, is at work here: waiting for its end";
            console::error(WAITING);
            activity = Some(Activity::new(WAITING.to_owned()));
        };
        let place = BuildPlace::open(&cache.root().join("versions"), &checkout, &interrupted, waiting)?;
        drop(activity);
        let build = Build { command: build.to_owned(), compiler: compiler()? };
        Ok(Workplace { checkout, place, build, cache, interrupted })
    }

    fn occupy(&self, commit: &Commit) -> Result<Occupied, Error> {
        let _activity = Activity::new(format!("building {}", commit.title));
        Ok(self.place.occupy(&self.checkout, commit, &self.build, &self.interrupted)?)
    }

    /// Builds the golden version. Its programs are kept at the paths that they have in the other versions.
    fn golden(&self, revision: &Path) -> Result<PathBuf, Error> {
        let golden = self.occupy(&self.checkout.commit(&revision.to_string_lossy())?)?;
        self.subjects(&golden)?;
        Ok(golden.programs())
    }

    /// The programs of the version that is at the place. What they were built from is kept with them, since it does not stay there.
    fn subjects(&self, version: &Occupied) -> Result<Programs, Error> {
        let mut found = programs_below(&self.cache, &version.tree)?;
        if found.is_empty() {
            let (commit, log) = (&version.commit.title, version.log.display());
            let hint = "if it does not take CC from the environment, try --build 'make CC=\"$CC\"'";
            return Err(Error::NothingInCommon(format!(
                "the build of {commit} made no program that carries bitcode; {hint}; what it printed is in {log}"
            )));
        }
        for (path, subject) in &mut found {
            subject.path = version.keep(path)?;
        }
        Ok(found)
    }

    /// Programs of a version that is no longer at the place: they are made of what is kept, since files there are of another version now.
    fn away(&self, programs: Programs) -> Result<Programs, Error> {
        let again = |(path, subject): (PathBuf, Subject)| Ok((path, self.cache.subject(&subject.path)?));
        programs.into_iter().map(again).collect()
    }

    /// The programs that changed.
    fn changed(&self, programs: Vec<Versions>, flags: &DiffFlags) -> Result<Vec<Versions>, Error> {
        let ignored = Ignored { text: flags.compare.ignore_text.clone() };
        let mut changed = Vec::new();
        for versions in programs.into_iter().filter(|versions| versions.old.id != versions.new.id) {
            if !versions.changes(&self.cache, &ignored)?.changes.is_empty() {
                changed.push(versions);
            }
        }
        Ok(changed)
    }

    /// The inputs to begin with: those that are given, or the tests of the old version, which is at the place.
    fn inputs(&self, flags: &DiffFlags, old: &Occupied) -> Result<Inputs, Error> {
        Ok(match (&flags.from, &flags.commits.test) {
            (Some(seeds), _) => Inputs::Seeds(seeds.clone()),
            (None, Some(test)) => Inputs::Seeds(self.record(old, test)?),
            (None, None) => Inputs::Symbolic(flags.symbolic.clone(), Vec::new()),
        })
    }

    /// Records the tests of the version that is at the place, if that was not done before.
    fn record(&self, version: &Occupied, test: &str) -> Result<PathBuf, Error> {
        let seeds = version.seeds(test);
        if Suite::open(&seeds).is_ok() {
            return Ok(seeds);
        }
        let _activity = Activity::new(format!("running the tests of {}", version.commit.title));
        let fresh = seeds.with_extension("new");
        let log = seeds.with_extension("log");
        let mut settings = byway_suite::RecordSettings::new(fresh.clone());
        settings.tree = version.tree.clone();
        let directory = version.tree.join(&self.checkout.below);
        let recorded = byway_suite::record(&self.test_command(&directory, test, &log), settings, &self.interrupted)?;
        if recorded.suite.seeds.is_empty() {
            let log = log.display();
            return Err(Error::NothingInCommon(format!(
                "the tests of {} ran no program that carries bitcode: {test}; what they printed is in {log}",
                version.commit.title
            )));
        }
        if !recorded.status.success() {
            let (commit, status, log) = (&version.commit.title, recorded.status, log.display());
            console::error(&format!(
                "the tests of {commit} failed ({status}); what they ran is compared all the same; see {log}"
            ));
        }
        fs::rename(&fresh, &seeds).map_err(|source| Error::Write { path: seeds.clone(), source })?;
        Ok(seeds)
    }

    /// A command that runs the tests where they belong; what they print goes to a file.
    fn test_command(&self, directory: &Path, test: &str, log: &Path) -> Vec<OsString> {
        let variables = self.place.environment().into_iter().map(|(name, value)| {
            let mut word = OsString::from(format!("{name}="));
            word.push(value);
            word
        });
        let script = "cd \"$1\" && exec sh -c \"$2\" > \"$3\" 2>&1 < /dev/null";
        let words = ["sh".into(), "-c".into(), script.into(), "sh".into()];
        let arguments = [directory.into(), test.into(), log.into()];
        std::iter::once("env".into()).chain(variables).chain(words).chain(arguments).collect()
    }
}

/// `byway-cc` is beside us.
fn compiler() -> Result<PathBuf, Error> {
    let byway = env::current_exe().map_err(|source| Error::Pass { what: "the path of byway-cc", source })?;
    let beside = byway.with_file_name("byway-cc");
    match beside.is_file() {
        true => Ok(beside),
        false => Err(Error::Read { path: beside, source: std::io::ErrorKind::NotFound.into() }),
    }
}
