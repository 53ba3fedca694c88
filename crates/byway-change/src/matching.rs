//! Which functions and variables of two versions are each other's counterparts: by name, then by content.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use byway_map::{FileId, FunctionCode, ProgramCode, Token, TokenId};

use crate::words::{Symbols, VersionCode};

/// Two functions without a counterpart are taken for one that was renamed and changed if they share this part of their
/// statements, as `git diff` does with files.
const SIMILAR: f64 = 0.6;
/// Functions with fewer statements are too much alike.
const MIN_SIMILAR: usize = 6;

/// Pairs of positions, old and new.
pub type Pairs = Vec<(usize, usize)>;

/// Matches the functions and variables of two versions.
pub fn matched<'a>(old: &'a ProgramCode, new: &'a ProgramCode) -> (VersionCode<'a>, VersionCode<'a>, Pairs, Pairs) {
    let variables = by_name(
        &variables_by_name(old),
        &variables_by_name(new),
        |index| position(old, old.variables[index].position),
        |index| position(new, new.variables[index].position),
    );
    let mut functions = by_name(
        &functions_by_name(old),
        &functions_by_name(new),
        |index| position(old, old.functions[index].position),
        |index| position(new, new.functions[index].position),
    );
    let variables = with_equal_values(old, new, variables);
    loop {
        let (was, is) = versions(old, new, &functions, &variables);
        let more = by_content(&was, &is, &functions);
        if more.is_empty() {
            let more = by_similarity(&was, &is, &functions);
            functions.extend(more);
            let (was, is) = versions(old, new, &functions, &variables);
            return (was, is, functions, variables);
        }
        functions.extend(more);
    }
}

fn versions<'a>(
    old: &'a ProgramCode,
    new: &'a ProgramCode,
    functions: &Pairs,
    variables: &Pairs,
) -> (VersionCode<'a>, VersionCode<'a>) {
    let side = |code: &'a ProgramCode, pick: fn(&(usize, usize)) -> usize| {
        let number = |pairs: &Pairs, name: &dyn Fn(usize) -> String| -> HashMap<String, u32> {
            pairs.iter().zip(0..).map(|(pair, number)| (name(pick(pair)), number)).collect()
        };
        let mut functions = number(functions, &|index| code.functions[index].symbol.clone());
        let mut variables = number(variables, &|index| code.variables[index].symbol.clone());
        copies(code, &mut functions, &mut variables);
        VersionCode { code, symbols: Symbols { functions, variables } }
    };
    (side(old, |pair| pair.0), side(new, |pair| pair.1))
}

/// Functions and variables of headers have a copy in each translation unit, which are all called alike.
fn copies(code: &ProgramCode, functions: &mut HashMap<String, u32>, variables: &mut HashMap<String, u32>) {
    let mut known: HashMap<(&str, (FileId, u32)), u32> = HashMap::new();
    for function in &code.functions {
        let Some(position) = function.position else { continue };
        let number = functions.get(&function.symbol).copied();
        let first = *known.entry((&function.name, position)).or_insert(number.unwrap_or(u32::MAX));
        if first != u32::MAX {
            functions.insert(function.symbol.clone(), first);
        }
    }
    let mut known: HashMap<(&str, (FileId, u32)), u32> = HashMap::new();
    for variable in &code.variables {
        let Some(position) = variable.position else { continue };
        let number = variables.get(&variable.symbol).copied();
        let first = *known.entry((plain(&variable.symbol), position)).or_insert(number.unwrap_or(u32::MAX));
        if first != u32::MAX {
            variables.insert(variable.symbol.clone(), first);
        }
    }
}

fn position(code: &ProgramCode, position: Option<(FileId, u32)>) -> Option<&Path> {
    position.map(|(file, _)| code.files[file.index()].as_path())
}

fn functions_by_name(code: &ProgramCode) -> BTreeMap<&str, Vec<usize>> {
    grouped(code.functions.iter().map(|function| function.name.as_str()))
}

fn variables_by_name(code: &ProgramCode) -> BTreeMap<&str, Vec<usize>> {
    grouped(code.variables.iter().map(|variable| plain(&variable.symbol)))
}

fn grouped<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, Vec<usize>> {
    let mut all: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    names.enumerate().for_each(|(index, name)| all.entry(name).or_default().push(index));
    all
}

/// A symbol without the number that linking gave it.
fn plain(symbol: &str) -> &str {
    match symbol.rsplit_once('.') {
        Some((name, number)) if !name.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => symbol,
    }
}

/// Pairs those of the same name; of several, those whose files are most alike first, in their order.
fn by_name<'a>(
    old: &BTreeMap<&str, Vec<usize>>,
    new: &BTreeMap<&str, Vec<usize>>,
    old_file: impl Fn(usize) -> Option<&'a Path>,
    new_file: impl Fn(usize) -> Option<&'a Path>,
) -> Pairs {
    let mut pairs = Pairs::new();
    for (name, olds) in old {
        let Some(news) = new.get(name) else { continue };
        let mut ranked: Vec<(usize, usize, (usize, usize))> = Vec::new();
        for (rank, &was) in olds.iter().enumerate() {
            for (other, &is) in news.iter().enumerate() {
                let alike = common_names(old_file(was), new_file(is));
                ranked.push((usize::MAX - alike, rank.abs_diff(other), (was, is)));
            }
        }
        ranked.sort_unstable();
        let (mut taken_old, mut taken_new) = (HashSet::new(), HashSet::new());
        for (_, _, (was, is)) in ranked {
            if !taken_old.contains(&was) && !taken_new.contains(&is) {
                taken_old.insert(was);
                taken_new.insert(is);
                pairs.push((was, is));
            }
        }
    }
    pairs
}

/// How many names at the end of two paths are the same.
fn common_names(old: Option<&Path>, new: Option<&Path>) -> usize {
    let (Some(old), Some(new)) = (old, new) else { return 0 };
    let names = |path: &Path| -> Vec<PathBuf> { path.iter().rev().map(PathBuf::from).collect() };
    names(old).iter().zip(names(new)).take_while(|(a, b)| **a == *b).count()
}

/// Variables without a counterpart of their name are matched if only one on each side has their value.
fn with_equal_values(old: &ProgramCode, new: &ProgramCode, mut pairs: Pairs) -> Pairs {
    let values = |code: &ProgramCode, taken: HashSet<usize>| -> HashMap<Vec<Token>, Vec<usize>> {
        let mut values: HashMap<Vec<Token>, Vec<usize>> = HashMap::new();
        for (index, variable) in code.variables.iter().enumerate().filter(|(index, _)| !taken.contains(index)) {
            let tokens = variable.tokens.iter().map(|&id| code.tokens[id as usize].clone()).collect();
            values.entry(tokens).or_default().push(index);
        }
        values
    };
    let old_values = values(old, pairs.iter().map(|pair| pair.0).collect());
    let new_values = values(new, pairs.iter().map(|pair| pair.1).collect());
    let mut more: Pairs = old_values
        .iter()
        .filter_map(|(value, olds)| match (&olds[..], new_values.get(value).map(Vec::as_slice)) {
            ([was], Some([is])) if value.len() > 2 => Some((*was, *is)),
            _ => None,
        })
        .collect();
    more.sort_unstable();
    pairs.extend(more);
    pairs
}

/// Functions of both sides without a counterpart.
fn unmatched<'a>(code: &'a ProgramCode, taken: &HashSet<usize>) -> Vec<(usize, &'a FunctionCode)> {
    code.functions.iter().enumerate().filter(|(index, _)| !taken.contains(index)).collect()
}

fn left<'a>(old: &VersionCode<'a>, new: &VersionCode<'a>, pairs: &Pairs) -> [Vec<(usize, &'a FunctionCode)>; 2] {
    let olds = pairs.iter().map(|pair| pair.0).collect();
    let news = pairs.iter().map(|pair| pair.1).collect();
    [unmatched(old.code, &olds), unmatched(new.code, &news)]
}

/// A hash of what a statement does, whatever its function and variables are called.
fn content(version: &VersionCode<'_>, function: &FunctionCode, tokens: &[TokenId]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for &id in tokens {
        match &version.code.tokens[id as usize] {
            Token::Function(symbol) if *symbol == function.symbol => "self".hash(&mut hasher),
            Token::Text(text) if text == function.name.as_bytes() => "own name".hash(&mut hasher),
            _ => version.common(id, Some(function), &[]).hash_without_name(&mut hasher),
        }
    }
    hasher.finish()
}

fn contents(version: &VersionCode<'_>, function: &FunctionCode) -> Vec<u64> {
    function.statements.iter().map(|statement| content(version, function, &statement.tokens)).collect()
}

/// Functions that do the same under another name, if only one on each side does.
fn by_content(old: &VersionCode<'_>, new: &VersionCode<'_>, pairs: &Pairs) -> Pairs {
    let keyed = |version: &VersionCode<'_>, functions: Vec<(usize, &FunctionCode)>| {
        let mut keys: HashMap<(Vec<u64>, usize), Vec<usize>> = HashMap::new();
        for (index, function) in functions {
            keys.entry((contents(version, function), function.signature.len())).or_default().push(index);
        }
        keys
    };
    let [olds, news] = left(old, new, pairs);
    let (olds, news) = (keyed(old, olds), keyed(new, news));
    let mut found: Pairs = olds
        .iter()
        .filter_map(|(key, was)| match (&was[..], news.get(key).map(Vec::as_slice)) {
            ([was], Some([is])) if key.0.len() > 1 => Some((*was, *is)),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found
}

/// Functions that do nearly the same under another name, the most similar first.
fn by_similarity(old: &VersionCode<'_>, new: &VersionCode<'_>, pairs: &Pairs) -> Pairs {
    let [olds, news] = left(old, new, pairs);
    let sets = |version: &VersionCode<'_>, functions: Vec<(usize, &FunctionCode)>| -> Vec<(usize, Vec<u64>)> {
        let all = functions.into_iter().map(|(index, function)| {
            let mut keys = contents(version, function);
            keys.sort_unstable();
            (index, keys)
        });
        all.filter(|(_, keys)| keys.len() >= MIN_SIMILAR).collect()
    };
    let (olds, news) = (sets(old, olds), sets(new, news));
    let mut ranked: Vec<(f64, usize, usize)> = Vec::new();
    for (was, keys) in &olds {
        for (is, others) in &news {
            let similar = similarity(keys, others);
            if similar >= SIMILAR {
                ranked.push((similar, *was, *is));
            }
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut taken_old, mut taken_new) = (HashSet::new(), HashSet::new());
    ranked.retain(|&(_, was, is)| {
        let free = !taken_old.contains(&was) && !taken_new.contains(&is);
        if free {
            taken_old.insert(was);
            taken_new.insert(is);
        }
        free
    });
    ranked.into_iter().map(|(_, was, is)| (was, is)).collect()
}

/// Which part of the elements of two sorted lists they share.
fn similarity(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                i += 1;
                j += 1;
            }
        }
    }
    2.0 * f64::from(shared) / (a.len() + b.len()) as f64
}
