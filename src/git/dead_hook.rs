//! Hooks that git would start and that cannot start: git waits for ever for a `pre-push` whose
//! interpreter is missing.
//!
//! Invariant: found before git is started, and named with its file. A hook that git itself ignores
//! (not executable) counts as none.

use super::{
    GitError, Repo,
    error::RemoteErrorKind,
    process::{plain, without_credentials},
};
use crate::machine::{files, program};
use std::path::{Path, PathBuf};

/// The hooks that co's own calls of git run.
pub const RUN: &[&str] = &["pre-push", "reference-transaction"];

/// How much of a file is read for its first line. Systems read no more.
const LINE: usize = 512;
/// How many scripts may interpret each other.
const DEPTH: usize = 4;

/// A hook that git would start in vain.
pub struct DeadHook {
    pub file: PathBuf,
    /// A clause.
    pub why: String,
}

impl Repo {
    /// Those of these hooks that cannot start.
    pub fn dead_hooks(&self, names: &[&str]) -> Vec<DeadHook> {
        let files = names.iter().map(|name| self.hook_file(name));
        let dead = |file: PathBuf| {
            let why = cannot_start(&file, self, DEPTH)?;
            Some(DeadHook { file, why })
        };
        files.filter_map(dead).collect()
    }

    pub(super) fn refuse_dead_hooks(&self, remote: &str, names: &[&str]) -> Result<(), GitError> {
        let Some(DeadHook { file, why }) = self.dead_hooks(names).into_iter().next() else {
            return Ok(());
        };
        Err(GitError::Remote {
            remote: without_credentials(remote),
            error_kind: RemoteErrorKind::DeadHook,
            reason: plain(&format!("{}: {why}", file.display())),
            ssh: None,
        })
    }
}

/// Why the system cannot start a file. Git starts files without `#!` in a shell.
fn cannot_start(file: &Path, repo: &Repo, depth: usize) -> Option<String> {
    if cfg!(windows) || depth == 0 {
        return None;
    }
    if files::is_dir(file) {
        return Some("it is a folder".to_owned());
    }
    if !files::is_executable(file) {
        return None;
    }
    let beginning = files::beginning(file, LINE)?;
    let line = beginning.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    if line.ends_with('\r') {
        return Some("its first line ends with a carriage return, as on Windows".to_owned());
    }
    let line = line.trim_matches([' ', '\t']);
    let (interpreter, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    if interpreter.is_empty() {
        return None;
    }
    let path = repo.root.join(interpreter);
    if !files::is_executable(&path) {
        return Some(format!("its first line names `{interpreter}`, which cannot be started"));
    }
    if path.file_name().is_some_and(|name| name == "env") {
        return missing_for_env(rest.trim(), repo.search_path.as_deref()?);
    }
    cannot_start(&path, repo, depth - 1)
        .map(|why| format!("its first line names `{interpreter}`: {why}"))
}

/// The program that `env` would look for in vain on this PATH.
fn missing_for_env(rest: &str, path: &str) -> Option<String> {
    let split = ["-S", "--split-string="].iter().find_map(|option| rest.strip_prefix(option));
    // Their next word is no program.
    if rest.split_whitespace().any(|word| ["-u", "-C", "-P", "--unset"].contains(&word)) {
        return None;
    }
    // Linux passes the rest as one word.
    let is_one = split.is_none() && cfg!(target_os = "linux") && !rest.starts_with('-');
    let mut words = split.unwrap_or(rest).split_whitespace();
    let is_option = |word: &&str| word.starts_with('-') || word.contains('=');
    let name = if is_one { rest } else { words.find(|word| !is_option(word))? };
    let is_there = name.is_empty()
        || name.contains(['/', '=', '"', '\'', '$'])
        || program::find(name, path).is_some();
    (!is_there).then(|| format!("its first line names `{name}`, which is not on the PATH"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

    #[test]
    fn what_env_looks_for_has_to_be_there() {
        for fine in [
            "sh",
            "-S sh -e",
            "-S FOO=1 sh",
            "--split-string=sh -e",
            "",
            "-i sh",
            "-S -i sh",
            "-S -u LANG sh",
        ] {
            assert_eq!(missing_for_env(fine, PATH), None, "{fine}");
        }
        for missing in ["no-such-shell", "-S no-such-shell -e", "-S A=1 no-such-shell"] {
            assert!(
                missing_for_env(missing, PATH).is_some_and(|why| why.contains("no-such")),
                "{missing}"
            );
        }
    }
}
