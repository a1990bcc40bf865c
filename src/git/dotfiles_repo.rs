//! Repositories whose work tree is the home folder (yadm, vcsh, bare repositories), and folders of
//! symlinks that stow or rcm laid out.
//!
//! Invariant: only read, so that co can say exactly what to set and never creates a repository
//! inside somebody else's.

use super::{Repo, ignored::SOURCE, trusted};
use crate::machine::{Context, files, folder};
use gix::bstr::ByteSlice;
use std::path::{Path, PathBuf};

/// A repository that the identity belongs to, although it is not below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DotfilesRepo {
    /// A repository whose work tree is elsewhere tracks files of the identity.
    Tracked {
        git_dir: PathBuf,
        /// The shell command that runs sync in it.
        command: String,
    },
    /// The files are symlinks into a repository.
    Links {
        /// The folder in that repository that contains the files.
        folder: PathBuf,
    },
}

pub fn dotfiles_repo(context: &Context) -> Option<DotfilesRepo> {
    linked(&context.identity.resolved).or_else(|| tracked(context))
}

/// Symlinks to files whose common folder is in a repository.
fn linked(identity: &Path) -> Option<DotfilesRepo> {
    let listed = folder::list(identity, "").files;
    let link = listed.iter().find(|file| files::is_link(&file.file))?;
    let target = files::resolve(&link.file);
    // Both paths end alike: the rest of the target is the folder that contains all files.
    let depth = link.path.as_str().split('/').count();
    let folder = target.ancestors().nth(depth)?.to_owned();
    super::repository_above(&folder).map(|_| DotfilesRepo::Links { folder })
}

fn tracked(context: &Context) -> Option<DotfilesRepo> {
    let home = &context.home;
    let data =
        context.env("XDG_DATA_HOME").map_or_else(|| home.join(".local/share"), PathBuf::from);
    let config = context.env("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from);
    let yadm = [data.join("yadm/repo.git"), config.join("yadm/repo.git")];
    let vcsh: Vec<PathBuf> = files::names(&config.join("vcsh/repo.d"))
        .into_iter()
        .map(|name| config.join("vcsh/repo.d").join(name))
        .collect();
    let bare = [".dotfiles", ".cfg", ".dotfiles.git", "dotfiles.git", ".dots", ".config.git"]
        .map(|name| home.join(name));
    let tracks = |git_dir: &PathBuf| tracks(git_dir, home, &context.identity.path);
    let found =
        |git_dir: PathBuf, command: String| Some(DotfilesRepo::Tracked { git_dir, command });
    if let Some(git_dir) = yadm.into_iter().find(tracks) {
        return found(git_dir, "yadm enter co sync".into());
    }
    if let Some(git_dir) = vcsh.into_iter().find(tracks) {
        let name =
            git_dir.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        return found(git_dir, format!("vcsh run {name} co sync"));
    }
    let git_dir = bare.into_iter().find(tracks)?;
    let command = format!(
        "GIT_DIR={} GIT_WORK_TREE={} co sync",
        context.shown(&git_dir),
        context.shown(home)
    );
    found(git_dir, command)
}

/// Whether the index of a repository with this work tree contains files of the identity.
fn tracks(git_dir: &Path, tree: &Path, identity: &Path) -> bool {
    if !git_dir.join("HEAD").exists() {
        return false;
    }
    let Ok(repo) = trusted::open(git_dir) else { return false };
    let (Ok(prefix), Ok(index)) = (identity.strip_prefix(tree), repo.index_or_empty()) else {
        return false;
    };
    let Some(prefix) = prefix.to_str() else { return false };
    index
        .prefixed_entries(format!("{prefix}/").as_bytes().as_bstr())
        .is_some_and(|entries| !entries.is_empty())
}

impl Repo {
    /// Whether `git add --all` would add a path of the work tree: neither ignored nor outside.
    pub fn would_add(&self, path: &Path) -> bool {
        use gix::index::entry::Mode;
        // A pattern with a trailing slash matches only folders.
        let mode = if path.is_dir() { Mode::DIR } else { Mode::FILE };
        let Ok(path) = path.strip_prefix(&self.root) else { return false };
        let Ok(index) = self.gix.index_or_empty() else { return false };
        let Ok(mut excludes) = self.gix.excludes(&index, None, SOURCE) else { return false };
        !excludes.at_path(path, Some(mode)).is_ok_and(|platform| platform.is_excluded())
    }
}
