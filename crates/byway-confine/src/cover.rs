//! What of the machine can be read in a sandbox, without anybody outside noticing.
//!
//! On a read-only mount files can still be locked, and what others write to a pipe can be read before they do. So a
//! read-only overlay lies over each directory: its files are those below, but its locks and pipes are the sandbox's own. The
//! kernel lays none over a directory in which something is mounted; there, each directory in it has one.

use std::ffi::{CString, OsString};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{MountFlags, mount};

/// These are the sandbox's own, or have nothing to lock.
const OTHERS: [&str; 3] = ["/dev", "/proc", "/sys"];
/// So many overlays a sandbox has at most.
const MAX_OVERLAYS: usize = 512;

/// Where something is mounted.
pub fn mount_points() -> Vec<PathBuf> {
    let text = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let lines = text.split(|&byte| byte == b'\n');
    lines.filter_map(|line| line.split(|&byte| byte == b' ').nth(4)).map(unescape).collect()
}

/// Spaces and the like are written as three octal digits.
fn unescape(text: &[u8]) -> PathBuf {
    let (mut name, mut rest) = (Vec::new(), text);
    while let Some((&byte, behind)) = rest.split_first() {
        let digits = behind.get(..3).filter(|_| byte == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(meant) => (name.push(meant), rest = &behind[3..]).1,
            None => (name.push(byte), rest = behind).1,
        }
    }
    PathBuf::from(OsString::from_vec(name))
}

/// A place below a directory where something is mounted.
pub fn mounted_below<'a>(points: &'a [PathBuf], directory: &Path) -> Option<&'a Path> {
    points.iter().map(PathBuf::as_path).find(|point| *point != directory && point.starts_with(directory))
}

/// Covers the machine. `empty` is an empty directory. The first directory that could not be covered is in the answer.
pub fn cover(points: &[PathBuf], empty: &Path) -> Option<(PathBuf, io::Error)> {
    let (mut count, mut failed) = (0, None);
    let mut outer = vec![PathBuf::from("/")];
    while let Some(directory) = outer.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            let path = entry.path();
            if OTHERS.iter().any(|other| path == Path::new(other)) {
                continue;
            }
            if mounted_below(points, &path).is_some() {
                outer.push(path);
                continue;
            }
            count += 1;
            let covered = match count > MAX_OVERLAYS {
                true => Err(io::Error::other("too many directories beside mounts")),
                false => overlay(&path, empty),
            };
            // What we cannot read no program reads.
            match covered {
                Err(error) if error.kind() != io::ErrorKind::PermissionDenied => {
                    failed.get_or_insert((path, error));
                }
                _ => {}
            }
        }
    }
    failed
}

fn overlay(path: &Path, empty: &Path) -> io::Result<()> {
    let lower = open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    // Without an upper directory there have to be two below.
    let data = CString::new(format!("lowerdir=/proc/self/fd/{}:{},userxattr", lower.as_raw_fd(), empty.display()))?;
    let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOATIME;
    Ok(mount("overlay", path, "overlay", flags, data.as_c_str())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_spaces_are_read() {
        assert_eq!(unescape(b"/a\\040b\\134c"), Path::new("/a b\\c"));
        assert_eq!(unescape(b"/plain\\"), Path::new("/plain\\"));
    }

    #[test]
    fn a_mount_is_found_below_its_directory_only() {
        let points = [PathBuf::from("/"), PathBuf::from("/home/me/mnt")];
        assert_eq!(mounted_below(&points, Path::new("/home")), Some(points[1].as_path()));
        assert_eq!(mounted_below(&points, Path::new("/home/me/mnt")), None);
        assert_eq!(mounted_below(&points, Path::new("/home/me/m")), None);
    }
}
