//! What ELF symbol tables say about a subject.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use byway_map::ProgramMap;
use object::{Object, ObjectSymbol, SymbolKind};

use crate::subject::Subject;

/// The names a shared library exports.
pub fn exported(path: &Path) -> HashSet<String> {
    let Ok(data) = byway_file::read(path, byway_file::PROGRAM) else { return HashSet::new() };
    let Ok(file) = object::File::parse(&*data) else { return HashSet::new() };
    let symbols = file.dynamic_symbols().filter(|symbol| symbol.is_definition());
    symbols.filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect()
}

/// All names that are linked into a subject and its libraries, or that they look for when they are loaded. `None` if one of
/// them is stripped: then its tables do not have them all.
pub fn linked_names(subject: &Subject) -> Option<HashSet<String>> {
    let mut names = HashSet::new();
    for part in subject.everything() {
        let data = byway_file::read(&part.path, byway_file::PROGRAM).ok()?;
        let file = object::File::parse(&*data).ok()?;
        file.symbol_table()?;
        let symbols = file.symbols().chain(file.dynamic_symbols());
        // A name may come with its version.
        let name = |name: &str| name.split('@').next().unwrap_or(name).to_owned();
        names.extend(symbols.filter_map(|symbol| symbol.name().ok().map(name)));
    }
    Some(names)
}

/// What every program gets from the C library's start-up files.
const START_UP: &[&str] = &[
    "_dl_relocate_static_pie",
    "_fini",
    "_init",
    "_start",
    "__do_global_dtors_aux",
    "__libc_csu_fini",
    "__libc_csu_init",
    "__stack_chk_fail_local",
    "at_quick_exit",
    "atexit",
    "deregister_tm_clones",
    "frame_dummy",
    "pthread_atfork",
    "register_tm_clones",
];

/// The functions in an ELF file that come from none of its modules: they run, but byway does not see into them.
/// Empty for a stripped file.
pub fn uncarried_functions(path: &Path, map: &ProgramMap) -> BTreeSet<String> {
    let Ok(data) = byway_file::read(path, byway_file::PROGRAM) else { return BTreeSet::new() };
    let Ok(file) = object::File::parse(&*data) else { return BTreeSet::new() };
    let functions = map.functions.iter().map(|function| function.name.as_str());
    let carried: HashSet<&str> = functions.chain(map.aliases.iter().map(String::as_str)).collect();
    let is_carried = |name: &str| carried.contains(name) || carried.contains(source_name(name));
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    let names = functions.filter_map(|symbol| symbol.name().ok().map(str::to_owned));
    names.filter(|name| !is_carried(name) && !START_UP.contains(&name.as_str())).collect()
}

/// A compiler splits functions and marks the parts with a suffix.
fn source_name(symbol: &str) -> &str {
    symbol.split_once('.').map_or(symbol, |(name, _)| if name.is_empty() { symbol } else { name })
}
