//! The hook that git waits for: while it runs, and when co stopped git because of it.
//!
//! Invariant: told from what was running then, so that a hook which is merely installed is not
//! blamed for a silent network.

use super::{
    GitError, Repo,
    dead_hook::RUN,
    error::RemoteErrorKind,
    process::{self, Output, Timeout, plain, without_credentials},
};
use crate::machine::{
    files,
    process::{Process, Started},
};
use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Hooks of a remote that is a folder on this laptop.
const THERE: &[&str] =
    &["pre-receive", "update", "proc-receive", "push-to-checkout", "post-receive", "post-update"];

/// What git itself starts to fetch or push.
const OF_GIT: &[&str] = &[
    "receive-pack",
    "upload-pack",
    "remote-",
    "send-pack",
    "fetch-pack",
    "pack-objects",
    "index-pack",
    "unpack-objects",
    "rev-list",
    "maintenance",
];

/// How much git may print while it talks with a remote: a line for each second of a day.
const MAX_OUTPUT: usize = 8 * 1024 * 1024;

/// How far an exchange with a remote has come, as the processes of a second ago tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Talk {
    /// git or ssh may be asking the person something.
    Connecting,
    /// A hook of this name runs.
    Hook(String),
    /// git packs what it sends.
    Sending,
    /// None of these, after one of the others.
    Awaiting,
}

static TALK: Mutex<Talk> = Mutex::new(Talk::Connecting);

/// Of the exchange that this process began last.
pub fn talk() -> Talk {
    TALK.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn set_talk(talk: Talk) {
    *TALK.lock().unwrap_or_else(PoisonError::into_inner) = talk;
}

impl Talk {
    fn after(self, hook: Option<&Path>, running: &[Started]) -> Talk {
        let packs =
            |one: &Started| one.words.iter().any(|word| word.trim_start_matches("git-") == PACKS);
        match hook.and_then(Path::file_name) {
            Some(name) => Talk::Hook(name.to_string_lossy().into_owned()),
            None if running.iter().any(packs) => Talk::Sending,
            None if self == Talk::Connecting => Talk::Connecting,
            None => Talk::Awaiting,
        }
    }
}

/// The program of git that packs what is sent.
const PACKS: &str = "pack-objects";

impl Repo {
    /// Runs git until it ends, is silent for too long, or waits for too long for one of these hooks
    /// or for one of a remote on this laptop, even if the hook prints.
    pub(super) fn run_with_hooks(
        &self,
        mut command: Process,
        names: &[&'static str],
        timeout: Timeout,
    ) -> Result<Output, GitError> {
        let names = names.to_vec();
        let own = names.iter().map(|name| (*name, self.hook_file(name)));
        let own: Vec<_> = own.filter(|(_, file)| files::is_executable(file)).collect();
        let file_of = move |name: &str| {
            own.iter().find(|(known, _)| *known == name).map(|(_, file)| file.clone())
        };
        let is_hook = move |running: &[Started]| {
            let hook = hanging(&names, running, &file_of);
            set_talk(talk().after(hook.as_deref(), running));
            hook.is_some()
        };
        command.keep_output(MAX_OUTPUT).await_at_most(timeout.silence, Box::new(is_hook));
        set_talk(Talk::Connecting);
        process::run(command, timeout)
    }

    /// Fails if git was killed while it waited for one of these hooks, or for one of a remote on
    /// this laptop.
    pub(super) fn refuse_hanging_hook(
        &self,
        remote: &str,
        names: &[&str],
        output: &Output,
        timeout: Timeout,
    ) -> Result<(), GitError> {
        let installed =
            |name: &str| Some(self.hook_file(name)).filter(|file| files::is_executable(file));
        let Some(hook) = hanging(names, &output.left, installed) else { return Ok(()) };
        let seconds = timeout.silence.as_secs();
        Err(GitError::Remote {
            remote: without_credentials(remote),
            error_kind: RemoteErrorKind::HangingHook,
            reason: plain(&format!("{} did not end within {seconds} s", hook.display())),
            ssh: None,
        })
    }
}

fn hanging(
    names: &[&str],
    left: &[Started],
    installed: impl Fn(&str) -> Option<PathBuf>,
) -> Option<PathBuf> {
    let named = left.iter().find_map(|one| {
        let mut words = one.words.iter().take_while(|word| !is_of_git(word));
        let (word, name) = words.find_map(|word| Some((word, hook_in(word)?)))?;
        let file =
            one.folder.as_ref().map_or_else(|| PathBuf::from(word), |folder| folder.join(word));
        let is_path = word.contains(['/', '\\']);
        if files::is_file(&file) { Some(file) } else { installed(name).or(is_path.then_some(file)) }
    });
    // A hook may have replaced itself with another program (`exec`). Beside a pre-push hook runs
    // what is connected to the remote: one alone may be a person's own ssh command.
    let is_alone = left.iter().filter(|one| one.is_direct).count() == 1;
    let may_run = |name: &str| name != "pre-push" || !is_alone;
    let is_other = |one: &Started| {
        one.is_direct && !one.words.is_empty() && !one.words.iter().any(|word| is_of_git(word))
    };
    let replaced = || names.iter().filter(|name| may_run(name)).find_map(|name| installed(name));
    named.or_else(|| left.iter().any(is_other).then(replaced).flatten())
}

/// The hook that a word of a command line means: a file, or one of the repository's own by its name
/// (`git lfs pre-push`).
fn hook_in(word: &str) -> Option<&str> {
    let name = Path::new(word).file_name()?.to_str()?;
    let is_path = word.contains(['/', '\\']);
    (RUN.contains(&name) || (is_path && THERE.contains(&name))).then_some(name)
}

/// Whether a word of a command line is one of git's own programs: `git-receive-pack '/a/b'`.
fn is_of_git(word: &str) -> bool {
    let program = word.split(' ').next().unwrap_or(word);
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.strip_prefix("git-").unwrap_or(name);
    OF_GIT.iter().any(|one| name.starts_with(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direct(line: &[&str]) -> Started {
        let words = line.iter().map(|word| (*word).to_owned()).collect();
        Started { is_direct: true, words, folder: Some("/nowhere".into()) }
    }

    fn found(line: &[&str]) -> Option<String> {
        let ssh = direct(&["ssh", "git@host", "git-receive-pack '/x/pre-push'"]);
        let installed = |name: &str| RUN.contains(&name).then(|| Path::new("/own").join(name));
        let hook = hanging(RUN, &[ssh, direct(line)], installed)?;
        Some(hook.display().to_string())
    }

    #[test]
    fn how_far_it_has_come_is_told_from_what_runs() {
        let packs = [direct(&["git", "pack-objects", "--all-progress"])];
        let ssh = [direct(&["ssh", "git@host", "git-receive-pack '/x'"])];
        let hook = Some(Path::new("/h/pre-push"));
        let at_hook = Talk::Hook("pre-push".to_owned());
        assert_eq!(Talk::Connecting.after(None, &ssh), Talk::Connecting);
        assert_eq!(Talk::Connecting.after(hook, &ssh), at_hook);
        assert_eq!(at_hook.clone().after(None, &packs), Talk::Sending);
        assert_eq!(Talk::Sending.after(None, &ssh), Talk::Awaiting);
        assert_eq!(at_hook.after(None, &[]), Talk::Awaiting);
        assert_eq!(Talk::Awaiting.after(hook, &[]), Talk::Hook("pre-push".to_owned()));
    }

    #[test]
    fn one_program_alone_may_be_what_connects() {
        let installed = |name: &str| (name == "pre-push").then(|| PathBuf::from("/own/pre-push"));
        let sleeping = || direct(&["sleep", "1000"]);
        assert_eq!(hanging(RUN, &[sleeping()], installed), None);
        assert!(hanging(RUN, &[sleeping(), sleeping()], installed).is_some());
    }

    #[test]
    fn a_hook_is_told_from_what_git_starts_itself() {
        for (line, hook) in [
            (&["/bin/sh", "/h/pre-push", "remote-x", "/x/a.git"][..], "/own/pre-push"),
            (&["/bin/sh", "-e", "/h/reference-transaction"], "/own/reference-transaction"),
            (&["/bin/sh", "hooks/pre-receive"], "/nowhere/hooks/pre-receive"),
            (&["python3", "/h/pre-push", "origin", "git@host:x"], "/own/pre-push"),
            (&["git", "lfs", "pre-push", "origin"], "/own/pre-push"),
            (&["sleep", "1000"], "/own/pre-push"),
        ] {
            assert_eq!(found(line).as_deref(), Some(hook), "{line:?}");
        }
        for line in [
            &["git", "remote-https", "origin", "https://host/pre-push"][..],
            &["/usr/lib/git-core/git-remote-https", "origin", "https://host/pre-push"],
            &["git-receive-pack", "/x/pre-push"],
            &["/bin/sh", "-c", "git-receive-pack '/x'", "git-receive-pack '/x'"],
            &["/usr/bin/git", "pack-objects", "--all-progress"],
            &[],
        ] {
            assert_eq!(found(line), None, "{line:?}");
        }
    }
}
