//! `byway.toml`: options that are kept in a file. What it says is put before what was typed, as if it had been typed too.
//!
//! A table has the name of a command, a key that of an option. Keys outside of tables are for all commands that have the option.
//! `[explore.program.NAME]` is for one program. An option that was typed wins, and so does one that excludes what the file says.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory};
use toml::{Table, Value};

use crate::error::Error;
use crate::flags::Flags;

/// The name of the file.
pub const NAME: &str = "byway.toml";
/// The table of a command in which there is a table for each program.
const PROGRAMS: &str = "program";
/// Names that are this similar are suggested.
const SIMILAR: f64 = 0.7;

/// The command line with what the file says, if there is one.
pub fn arguments(typed: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let mut command = Flags::command();
    command.build();
    let Ok(matches) = command.clone().ignore_errors(true).try_get_matches_from(&typed) else { return Ok(typed) };
    let Some((name, matches)) = matches.subcommand() else { return Ok(typed) };
    let Some(path) = place(matches)? else { return Ok(typed) };
    let file = File::read(path, &command)?;
    let Some(subcommand) = command.find_subcommand(name) else { return Ok(typed) };
    file.add_to(typed, subcommand, matches)
}

/// Where the file is: where the user says, or in this directory or one above.
fn place(matches: &ArgMatches) -> Result<Option<PathBuf>, Error> {
    if let Ok(Some(path)) = matches.try_get_one::<PathBuf>("config") {
        return Ok(Some(path.clone()));
    }
    let here = env::current_dir().map_err(|source| Error::Pass { what: "the directory", source })?;
    Ok(here.ancestors().map(|directory| directory.join(NAME)).find(|path| path.is_file()))
}

/// The file.
struct File {
    path: PathBuf,
    table: Table,
}

impl File {
    fn read(path: PathBuf, command: &Command) -> Result<File, Error> {
        let text = fs::read_to_string(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
        let table = text.parse().map_err(|error: toml::de::Error| wrong(&path, &error.to_string()))?;
        let file = File { path, table };
        file.check(command)?;
        Ok(file)
    }

    /// Whether all that it says means something, also for commands that are not run now.
    fn check(&self, command: &Command) -> Result<(), Error> {
        let names: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
        let anywhere: BTreeSet<&str> = command.get_subcommands().flat_map(keys).collect();
        for (key, value) in &self.table {
            let Value::Table(table) = value else {
                self.check_key(key, &anywhere, "option")?;
                continue;
            };
            self.check_key(key, &names, "command")?;
            let Some(command) = command.find_subcommand(key) else { continue };
            let known: BTreeSet<&str> = keys(command).collect();
            for (key, value) in table {
                match value {
                    Value::Table(programs) if key == PROGRAMS && is_of_program(command) => {
                        for (name, options) in programs {
                            let options = options.as_table();
                            let options = options.ok_or_else(|| wrong(&self.path, &format!("{name} is no table")))?;
                            options.keys().try_for_each(|key| self.check_key(key, &known, "option"))?;
                        }
                    }
                    _ => self.check_key(key, &known, &format!("option of byway {}", command.get_name()))?,
                }
            }
        }
        Ok(())
    }

    fn check_key(&self, key: &str, known: &BTreeSet<&str>, what: &str) -> Result<(), Error> {
        if known.contains(key) {
            return Ok(());
        }
        let similar = known.iter().map(|name| (strsim::jaro_winkler(key, name), name));
        let best = similar.filter(|(score, _)| *score > SIMILAR).max_by(|one, other| one.0.total_cmp(&other.0));
        let hint = best.map_or(String::new(), |(_, name)| format!("; did you mean {name}?"));
        Err(wrong(&self.path, &format!("there is no {what} called {key}{hint}")))
    }

    /// What the file says of a command, the more special first: of the program that was typed, of the command, of all.
    fn options(&self, command: &Command, matches: &ArgMatches) -> Vec<(&str, &Value)> {
        let own = self.table.get(command.get_name()).and_then(Value::as_table);
        let program = is_of_program(command).then(|| matches.get_one::<PathBuf>("program")).flatten();
        let programs = own.and_then(|own| own.get(PROGRAMS)).and_then(Value::as_table);
        let of_program = program.zip(programs).and_then(|(program, programs)| {
            let named = |name: &str| Path::new(name) == program || program.file_name() == Some(OsStr::new(name));
            programs.iter().find(|(name, _)| named(name)).and_then(|(_, options)| options.as_table())
        });
        let known: BTreeSet<&str> = keys(command).collect();
        let tables = [of_program, own, Some(&self.table)];
        let mut options: Vec<(&str, &Value)> = Vec::new();
        for (key, value) in tables.into_iter().flatten().flatten() {
            let is_new = options.iter().all(|(other, _)| other != key);
            if is_new && known.contains(key.as_str()) && !value.is_table() {
                options.push((key, value));
            }
        }
        options
    }

    fn add_to(&self, typed: Vec<OsString>, command: &Command, matches: &ArgMatches) -> Result<Vec<OsString>, Error> {
        let (mut options, mut last) = (Vec::new(), Vec::new());
        for (key, value) in self.options(command, matches) {
            let Some(argument) = command.get_arguments().find(|argument| key_of(argument) == Some(key)) else {
                continue;
            };
            if is_excluded(argument, command, matches) {
                continue;
            }
            let values = self.values(argument, key, value)?;
            match (argument.get_long(), values) {
                (None, values) => last = values,
                (Some(_), values) if values.is_empty() => {}
                (Some(long), values) if argument.get_num_args().is_some_and(|range| range.max_values() > 1) => {
                    options.push(OsString::from(format!("--{long}")));
                    options.extend(values);
                }
                (Some(long), _) if !argument.get_action().takes_values() => options.push(format!("--{long}").into()),
                (Some(long), values) => options.extend(values.into_iter().map(|value| {
                    let mut word = OsString::from(format!("--{long}="));
                    word.push(value);
                    word
                })),
            }
        }
        let at = typed.iter().position(|word| word == command.get_name()).map_or(typed.len(), |at| at + 1);
        let mut all = typed;
        if !last.is_empty() {
            all.extend((!all.iter().any(|word| word == "--")).then(|| "--".into()));
            all.extend(last);
        }
        all.splice(at..at, options);
        Ok(all)
    }

    /// What is typed for a value; nothing for a switch that is off.
    fn values(&self, argument: &Arg, key: &str, value: &Value) -> Result<Vec<OsString>, Error> {
        let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let takes = argument.get_action().takes_values();
        let one = |value: &Value| -> Result<OsString, Error> {
            let text = match value {
                Value::String(text) if is_path => return Ok(self.beside(text)),
                Value::String(text) => text.clone(),
                Value::Integer(number) => number.to_string(),
                Value::Float(number) => number.to_string(),
                _ => return Err(wrong(&self.path, &format!("{key}: neither a text nor a number"))),
            };
            Ok(text.into())
        };
        match value {
            Value::Boolean(true) if !takes => Ok(vec!["true".into()]),
            Value::Boolean(false) if !takes => Ok(Vec::new()),
            _ if !takes => Err(wrong(&self.path, &format!("{key} is a switch: true or false"))),
            Value::Array(values) => values.iter().map(one).collect(),
            // A command line, as a shell would split it.
            Value::String(text) if argument.get_long().is_none() => {
                let words = shlex::split(text).ok_or_else(|| wrong(&self.path, &format!("{key}: a quote is open")))?;
                Ok(words.into_iter().map(OsString::from).collect())
            }
            value => Ok(vec![one(value)?]),
        }
    }

    /// Files are named from where the file is.
    fn beside(&self, text: &str) -> OsString {
        let directory = self.path.parent().filter(|directory| !directory.as_os_str().is_empty());
        let here = env::current_dir().ok();
        match directory {
            Some(directory) if here.as_deref() != Some(directory) => directory.join(text).into_os_string(),
            _ => text.into(),
        }
    }
}

fn wrong(path: &Path, why: &str) -> Error {
    Error::Ask(format!("{}: {}", path.display(), why.trim_end()))
}

/// The names under which arguments are in the file: options by their long names, the words behind `--` by theirs.
fn keys(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter_map(key_of)
}

fn key_of(argument: &Arg) -> Option<&str> {
    let is_ours = !["help", "version", "config"].contains(&argument.get_id().as_str());
    let last = argument.is_last_set().then(|| argument.get_id().as_str());
    argument.get_long().or(last).filter(|_| is_ours)
}

/// Whether a command is about one program.
fn is_of_program(command: &Command) -> bool {
    command.get_arguments().any(|argument| argument.get_id() == "program" && argument.is_positional())
}

/// Whether an argument was typed, or one with which it cannot be.
fn is_excluded(argument: &Arg, command: &Command, matches: &ArgMatches) -> bool {
    let is_typed = |id: &str| matches!(matches.value_source(id), Some(ValueSource::CommandLine));
    let excludes =
        |one: &Arg, other: &Arg| command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id());
    is_typed(argument.get_id().as_str())
        || command
            .get_arguments()
            .any(|other| is_typed(other.get_id().as_str()) && (excludes(argument, other) || excludes(other, argument)))
}
