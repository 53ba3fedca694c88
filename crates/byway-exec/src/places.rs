//! Where the files of inputs can be laid: the directories over which a sandbox has to be made.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use byway_input::{ConcreteInput, is_of_machine};

/// What every sandbox lets programs write.
const ALWAYS: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// More places are joined.
const MAX_PLACES: usize = 32;

/// The directories that hold, or would hold, what the inputs need: the nearest ones that exist.
pub fn places<'a>(inputs: impl IntoIterator<Item = &'a ConcreteInput>) -> Vec<PathBuf> {
    let mut nearest = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for directory in inputs.into_iter().flat_map(needed) {
        if seen.insert(directory) && !ALWAYS.iter().any(|always| has(Path::new(always), directory)) {
            nearest.extend(nearest_directory(directory).filter(|place| is_possible(place)));
        }
    }
    let mut places = joined(outermost(nearest));
    // What is mounted in a place would be missing in what lies over it.
    let inner: Vec<_> = mount_points().into_iter().filter(|point| is_within(&places, point)).collect();
    places.extend(inner);
    places
}

/// The directories in which something is to be.
fn needed(input: &ConcreteInput) -> impl Iterator<Item = &Path> {
    let fixture = &input.fixture;
    let files = input.files.iter().map(|(path, _)| path.as_path());
    let links = fixture.links.iter().map(|(path, _)| path.as_path());
    let absent = fixture.absent.iter().map(PathBuf::as_path);
    let parents = files.chain(links).chain(absent).filter_map(Path::parent);
    let directories = fixture.directories.iter().chain(&fixture.directory).map(PathBuf::as_path);
    // What is relative lies in the working directory, or in that of the sandbox.
    directories.chain(parents).filter(|path| path.is_absolute())
}

fn nearest_directory(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|ancestor| ancestor.is_dir())?.canonicalize().ok()
}

/// Whether something can be laid over a directory.
pub fn is_possible(path: &Path) -> bool {
    path.parent().is_some() && !is_of_machine(path)
}

/// Whether a directory has a path in it, without a mount in between.
fn has(place: &Path, path: &Path) -> bool {
    let device = |path: &Path| nearest_directory(path).and_then(|path| fs::metadata(path).ok()).map(|data| data.dev());
    path.starts_with(place) && (place == Path::new("/dev/shm") || device(place) == device(path))
}

/// Without those that are in others.
fn outermost(places: BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let mut outermost: Vec<PathBuf> = Vec::new();
    for place in places {
        if !outermost.iter().any(|outer| has(outer, &place)) {
            outermost.push(place);
        }
    }
    outermost
}

/// Joins those that are nearest to each other until there are few enough. What can be in none is left out.
fn joined(mut places: Vec<PathBuf>) -> Vec<PathBuf> {
    while places.len() > MAX_PLACES {
        // In the order of names, the nearest ones are beside each other.
        let common = places.windows(2).map(|pair| common(&pair[0], &pair[1])).filter(|common| is_possible(common));
        match common.max_by_key(|common| common.components().count()) {
            Some(common) => {
                places.retain(|place| !place.starts_with(&common));
                let at = places.partition_point(|place| *place < common);
                places.insert(at, common);
            }
            None => places.truncate(MAX_PLACES),
        }
    }
    places
}

fn common(one: &Path, other: &Path) -> PathBuf {
    one.components().zip(other.components()).take_while(|(one, other)| one == other).map(|pair| pair.0).collect()
}

fn is_within(places: &[PathBuf], point: &Path) -> bool {
    is_possible(point) && point.is_dir() && places.iter().any(|place| point != place && point.starts_with(place))
}

/// Where something is mounted.
fn mount_points() -> BTreeSet<PathBuf> {
    let text = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    // Names with spaces are written otherwise, and not found.
    text.lines().filter_map(|line| line.split(' ').nth(4)).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_places_are_joined_where_they_are_nearest() {
        let place = |text: String| PathBuf::from(text);
        let mut all: Vec<_> = (10..50).map(|number| place(format!("/home/me/tests/{number}"))).collect();
        all.insert(0, PathBuf::from("/data/other"));
        assert_eq!(joined(all), [PathBuf::from("/data/other"), PathBuf::from("/home/me/tests")]);
        let scattered: Vec<_> = (10..60).map(|number| place(format!("/{number}/x"))).collect();
        assert_eq!(joined(scattered).len(), MAX_PLACES);
    }

    #[test]
    fn what_is_in_another_place_needs_none() {
        let directory = tempfile::tempdir().unwrap();
        let (outer, inner) = (directory.path().to_owned(), directory.path().join("inner"));
        fs::create_dir(&inner).unwrap();
        assert_eq!(outermost([outer.clone(), inner].into()), [outer]);
    }

    #[test]
    fn the_machine_stays_as_it_is() {
        for path in ["/", "/usr", "/usr/share/x", "/etc", "/lib/x", "/proc/self"] {
            assert!(!is_possible(Path::new(path)), "{path}");
        }
        assert!(is_possible(Path::new("/home/me")) && is_possible(Path::new("/library")));
    }
}
