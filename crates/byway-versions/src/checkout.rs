//! The user's checkout. It is looked at, and never written to.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{VersionsError, file};
use crate::git::Git;
use crate::range::Range;

/// What to do where the history ends early.
const SHALLOW: &str = "; its history is shallow: git fetch --unshallow fetches the rest";

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Its hash.
    pub id: String,
    /// The short hash and the subject, or that it is the working tree.
    pub title: String,
}

/// A git checkout of the user's.
#[derive(Debug)]
pub struct Checkout {
    git: Git,
    /// Its directory.
    pub top: PathBuf,
    /// The current directory from there.
    pub below: PathBuf,
    common: PathBuf,
}

impl Checkout {
    /// The checkout that a directory is in.
    pub fn open(directory: &Path) -> Result<Checkout, VersionsError> {
        let git = Git::at(directory);
        let none = || VersionsError::NoCheckout(directory.to_owned());
        let top = git.try_text(&["rev-parse", "--show-toplevel"])?.filter(|top| !top.is_empty()).ok_or_else(none)?;
        let below = git.text(&["rev-parse", "--show-prefix"])?;
        let common = git.text(&["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
        Ok(Checkout { git, top: top.into(), below: below.into(), common: common.into() })
    }

    /// What is the same for all checkouts of the repository.
    pub fn repository(&self) -> &Path {
        &self.common
    }

    /// The two commits of a range. Working trees that differ from their commit become a commit whose objects are in `objects`.
    pub fn resolve(&self, range: &Range, objects: &Path) -> Result<(Commit, Commit), VersionsError> {
        match range {
            Range::Between(old, new) => Ok((self.commit(old)?, self.commit(new)?)),
            Range::ToWorkingTree(old) => Ok((self.commit(old)?, self.working_tree(objects)?)),
            Range::SinceMergeBase(old, new) => {
                let (from, to) = (self.commit(old)?, self.commit(new)?);
                let base = self.git.try_text(&["merge-base", &from.id, &to.id])?;
                let hint = self.hint();
                let none = || VersionsError::NoMergeBase { old: old.clone(), new: new.clone(), hint };
                Ok((self.commit(&base.ok_or_else(none)?)?, to))
            }
        }
    }

    /// A commit by any of its names.
    pub fn commit(&self, revision: &str) -> Result<Commit, VersionsError> {
        let name = format!("{revision}^{{commit}}");
        let id = self.git.try_text(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name])?;
        let hint = self.hint();
        let unknown = || VersionsError::UnknownRevision { revision: revision.to_owned(), hint };
        let id = id.filter(|id| !id.is_empty()).ok_or_else(unknown)?;
        let title = self.git.text(&["show", "--no-patch", "--format=%h %s", &id])?;
        Ok(Commit { id, title })
    }

    /// Whether files that git knows differ from the last commit.
    pub fn is_dirty(&self) -> Result<bool, VersionsError> {
        let changed = self.git.text(&["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty"])?;
        Ok(!changed.is_empty())
    }

    /// The files of the checkout that git knows, as they are.
    fn working_tree(&self, objects: &Path) -> Result<Commit, VersionsError> {
        let head = self.commit("HEAD")?;
        if !self.is_dirty()? {
            return Ok(head);
        }
        let index = tempfile::NamedTempFile::new_in(objects).map_err(file(objects))?;
        let own = self.git.text(&["rev-parse", "--path-format=absolute", "--git-path", "index"])?;
        fs::copy(&own, index.path()).map_err(file(&own))?;
        let git = Git::at(&self.top)
            .with("GIT_INDEX_FILE", index.path())
            .with("GIT_OBJECT_DIRECTORY", objects)
            .with("GIT_ALTERNATE_OBJECT_DIRECTORIES", &self.common.join("objects"));
        git.text(&["add", "--update"])?;
        let tree = git.text(&["write-tree"])?;
        // The same files are the same commit, whoever asks and when.
        let git = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"]
            .into_iter()
            .fold(git, |git, name| git.with(name, Path::new("byway")));
        let git = ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"]
            .into_iter()
            .fold(git, |git, name| git.with(name, Path::new("2000-01-01T00:00:00Z")));
        let id = git.text(&["commit-tree", &tree, "-p", &head.id, "-m", "working tree"])?;
        Ok(Commit { id, title: format!("the working tree on top of {}", head.title) })
    }

    /// Makes a repository of its own at a path that has the files of a commit. It borrows the user's objects.
    pub(crate) fn check_out(&self, commit: &Commit, to: &Path, objects: &Path) -> Result<(), VersionsError> {
        let parent = to.parent().unwrap_or(Path::new("/"));
        let quoted = to.to_string_lossy();
        Git::at(parent).text(&["init", "--quiet", "--template=", "--", &quoted])?;
        let alternates = to.join(".git/objects/info/alternates");
        let borrowed = [self.common.join("objects"), objects.to_owned()];
        let lines: String = borrowed.iter().map(|path| format!("{}\n", path.display())).collect();
        fs::create_dir_all(alternates.parent().expect("it is in a directory")).map_err(file(&alternates))?;
        fs::write(&alternates, lines).map_err(file(&alternates))?;
        let shallow = self.common.join("shallow");
        if shallow.exists() {
            fs::copy(&shallow, to.join(".git/shallow")).map_err(file(&shallow))?;
        }
        let git = Git::at(to);
        // Builds ask `git describe` which version this is.
        let tags = self.git.text(&["for-each-ref", "--format=create %(refname) %(objectname)", "refs/tags"])?;
        if !tags.is_empty() {
            git.with_input(&["update-ref", "--stdin"], Some(&(tags + "\n")))?;
        }
        git.text(&["checkout", "--quiet", "--detach", &commit.id])?;
        self.check_out_submodules(commit, to, &self.common.join("modules"))
    }

    /// Submodules come from the user's repository, and never from elsewhere.
    fn check_out_submodules(&self, commit: &Commit, to: &Path, modules: &Path) -> Result<(), VersionsError> {
        if !to.join(".gitmodules").exists() {
            return Ok(());
        }
        let git = Git::at(to);
        for (name, path) in submodules(&git)? {
            let module = modules.join(&name);
            if git.text(&["ls-files", "--stage", "--", &path])?.is_empty() {
                continue;
            }
            if !module.is_dir() {
                return Err(VersionsError::NoSubmodule { commit: commit.title.clone(), name });
            }
            let url = format!("submodule.{name}.url");
            git.text(&["config", &url, &module.to_string_lossy()])?;
            let update = ["-c", "protocol.file.allow=always", "submodule", "update", "--init", "--quiet", "--", &path];
            git.text(&update)?;
            self.check_out_submodules(commit, &to.join(&path), &module.join("modules"))?;
        }
        Ok(())
    }

    fn hint(&self) -> &'static str {
        if self.common.join("shallow").exists() { SHALLOW } else { "" }
    }
}

/// The submodules of a checkout: their names and paths.
fn submodules(git: &Git) -> Result<BTreeMap<String, String>, VersionsError> {
    let lines = ["config", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"];
    let text = git.try_text(&lines)?.unwrap_or_default();
    let entries = text.lines().filter_map(|line| line.split_once(' '));
    let named = entries.filter_map(|(key, path)| {
        let name = key.strip_prefix("submodule.")?.strip_suffix(".path")?;
        Some((name.to_owned(), path.to_owned()))
    });
    Ok(named.collect())
}
