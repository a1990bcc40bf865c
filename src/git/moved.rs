//! Updates what in a repository names its own folder, or a place relative to it, after the folder
//! moved.
//!
//! Invariant: everything leads to the same place as before the move; what cannot be changed is
//! returned as a sentence. Running it again does no harm.

use super::{
    GitError,
    error::Words,
    own_config,
    process::{self, LOCAL, Output},
    transport, url,
};
use crate::machine::{SystemError, files, paths};
use std::path::{Path, PathBuf};

/// Whether the folder is a submodule, whose repository another one keeps.
pub fn is_submodule(folder: &Path) -> bool {
    let Some(git_dir) = linked_git_dir(folder, folder) else { return false };
    let mut above = git_dir.ancestors().skip(1);
    above.any(|folder| {
        folder.file_name().is_some_and(|name| name == "modules")
            && folder.parent().is_some_and(|outer| outer.join("HEAD").exists())
    })
}

/// The folder that a `.git` file names, as seen from where the file was.
fn linked_git_dir(folder: &Path, was: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(folder.join(".git")).ok()?;
    let named = text.trim_end().strip_prefix("gitdir:")?.trim();
    Some(paths::normal(&was.join(named)))
}

/// Mends a repository whose folder was moved, with what it contains.
pub fn follow_folder(from: &Path, to: &Path) -> Result<Vec<String>, GitError> {
    let git = to.join(".git");
    if !files::exists(&git) {
        return Ok(Vec::new());
    }
    let failed = |error: SystemError| GitError::local("follow the move", to, error);
    let linked = linked_git_dir(to, from);
    if let Some(git_dir) = &linked {
        let line = format!("gitdir: {}\n", git_dir.display());
        files::write(&git, line.as_bytes()).map_err(failed)?;
    }
    let git_dir = linked.clone().unwrap_or_else(|| git.clone());
    let said = follow_settings(&git_dir, linked.as_deref(), (from, to))?;
    if linked.is_none() {
        follow_alternates(&git, &from.join(".git")).map_err(failed)?;
    }
    if linked.is_some() || !files::names(&git_dir.join("worktrees")).is_empty() {
        run_git(&git_dir, Some(to), &["worktree", "repair"])?;
    }
    Ok(said)
}

fn run_git(git_dir: &Path, tree: Option<&Path>, arguments: &[&str]) -> Result<String, GitError> {
    let mut command = process::git(git_dir, tree);
    command.args(arguments);
    printed(git_dir, process::run(command, LOCAL)?)
}

fn printed(git_dir: &Path, output: Output) -> Result<String, GitError> {
    if output.ok {
        return Ok(output.out);
    }
    let words = Words(process::reason(&output.err));
    Err(GitError::local("follow the move", git_dir, words))
}

/// The values of the repository's own configuration that may be relative paths.
const PATHS: &str = concat!(
    r"^(core\.(hookspath|worktree)|remote\..*\.(url|pushurl)",
    r"|branch\..*\.(remote|pushremote)|include(if\..*)?\.path)$",
);

/// A linked work tree shares its configuration with others, which have not moved.
fn follow_settings(
    git_dir: &Path,
    shared: Option<&Path>,
    (from, to): (&Path, &Path),
) -> Result<Vec<String>, GitError> {
    let list = ["config", "--local", "--null", "--get-regexp", PATHS];
    // It fails if nothing matches.
    let listed = run_git(git_dir, None, &list).unwrap_or_default();
    let mut said = Vec::new();
    for (key, value) in listed.split('\0').filter_map(|row| row.split_once('\n')) {
        let Some(new) = followed(git_dir, (key, value), (from, to)) else { continue };
        if let Some(shared) = shared {
            let (shared, from) = (shared.display(), from.display());
            said.push(format!("{key} in {shared} is {value}, relative to {from}: set it again"));
            continue;
        }
        let new = new.display().to_string();
        let set = ["--fixed-value", "--replace-all", key, new.as_str(), value];
        printed(git_dir, own_config::change(git_dir, &git_dir.join("config"), &set)?)?;
    }
    Ok(said)
}

/// The new value of a setting that names a place; `None` if the old one still leads there.
fn followed(
    git_dir: &Path,
    (key, value): (&str, &str),
    (from, to): (&Path, &Path),
) -> Option<PathBuf> {
    let path = Path::new(value);
    if key == "core.worktree" {
        return (paths::normal(path) == from).then(|| to.to_owned());
    }
    let is_url = key.starts_with("remote.") && url::is_url(value);
    let is_name = key.starts_with("branch.") && !value.starts_with("../");
    if path.is_absolute() || value.starts_with('~') || value.is_empty() || is_url || is_name {
        return None;
    }
    // An abbreviation of the person's (`url.*.insteadOf`) is no path.
    if key.starts_with("remote.") && transport::real_url(git_dir, value) != value {
        return None;
    }
    let base = if key.starts_with("include") { from.join(".git") } else { from.to_owned() };
    let place = paths::normal(&base.join(path));
    // What was inside has moved along.
    (!place.starts_with(from)).then_some(place)
}

/// Object stores of other repositories that this one uses, relative to its own.
fn follow_alternates(git: &Path, was: &Path) -> Result<(), SystemError> {
    let file = git.join("objects/info/alternates");
    let Ok(text) = std::fs::read_to_string(&file) else { return Ok(()) };
    let objects = was.join("objects");
    let line = |line: &str| {
        if line.is_empty() || line.starts_with('#') || Path::new(line).is_absolute() {
            return line.to_owned();
        }
        paths::normal(&objects.join(line)).display().to_string()
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    let new = format!("{}\n", lines.join("\n"));
    if new == text { Ok(()) } else { files::write(&file, new.as_bytes()) }
}
