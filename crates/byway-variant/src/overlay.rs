//! Showing clang files as they were: at their own paths, with what is kept of them.

use std::path::{Path, PathBuf};

use byway_carrier::Module as Carried;
use serde_json::json;

use crate::error::VariantError;
use crate::toolchain::Tools;

/// A file that is another one by now, or gone, and where its content is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlaid<'a> {
    /// The path that compilers know.
    pub path: &'a Path,
    /// A file with what was there.
    pub kept: PathBuf,
}

/// Has clang find these files as they were. The input that it is to be given, of which `object` is made.
pub fn lay(
    tools: &mut Tools,
    module: &Carried,
    input: &str,
    files: &[Overlaid<'_>],
    (object, arguments): (&Path, &mut Vec<String>),
) -> Result<String, VariantError> {
    if files.is_empty() {
        return Ok(input.to_owned());
    }
    let list = object.with_extension("overlay");
    tools.put(&list, description(files).as_bytes())?;
    arguments.extend(["-ivfsoverlay".to_owned(), text(&list)]);
    let source = module.directory.join(input);
    let kept = files.iter().find(|file| file.path == source).filter(|_| !source.is_file());
    match kept {
        Some(file) => stand_in(tools, input, &source, &file.kept, (object, arguments)),
        None => Ok(input.to_owned()),
    }
}

/// Where clang is started for a module. If the directory of the build is gone, clang is told to look for files, and to say that it was, in a
/// directory that is not there: with all files laid over it, it is for the compiler, though not for the driver.
pub fn directory<'a>(module: &'a Carried, object: &'a Path, arguments: &mut Vec<String>) -> &'a Path {
    if module.directory.is_dir() {
        return &module.directory;
    }
    let directory = text(&module.directory);
    for argument in ["-working-directory", &directory, &format!("-fdebug-compilation-dir={directory}")] {
        arguments.extend(["-Xclang".to_owned(), argument.to_owned()]);
    }
    object.parent().unwrap_or(Path::new("/"))
}

/// What clang's virtual file system is described with: `clang -ivfsoverlay`.
fn description(files: &[Overlaid<'_>]) -> String {
    let file =
        |file: &Overlaid<'_>| json!({ "type": "file", "name": text(file.path), "external-contents": text(&file.kept) });
    let roots: Vec<_> = files.iter().map(file).collect();
    // Names stay what they are on the command line, in debug information and in reports.
    json!({ "version": 0, "use-external-names": false, "roots": roots }).to_string()
}

/// The driver wants its input to be there, whatever the compiler is shown. So one that is gone is copied, and says of itself
/// where it was; what it includes is looked for there.
fn stand_in(
    tools: &mut Tools,
    input: &str,
    source: &Path,
    kept: &Path,
    (object, arguments): (&Path, &mut Vec<String>),
) -> Result<String, VariantError> {
    let unreadable = |error| VariantError::CacheEntry { path: kept.to_owned(), source: error };
    let content = byway_file::read(kept, byway_file::INPUT).map_err(unreadable)?;
    let copy = object.with_extension(source.extension().unwrap_or_default());
    let name = input.replace('\\', "\\\\").replace('"', "\\\"");
    tools.put(&copy, &[format!("# 1 \"{name}\"\n").as_bytes(), &content].concat())?;
    let directory = source.parent().unwrap_or(Path::new("/"));
    arguments.extend(["-iquote".to_owned(), text(directory)]);
    Ok(text(&copy))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
