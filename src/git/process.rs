//! Runs the git program: started with a safe configuration, watched, and killed if it is silent.
//!
//! Invariant: text from a remote reaches the caller without control characters and credentials;
//! nothing that looks like an option is passed where a URL is expected.

use super::GitError;
pub use crate::machine::process::plain;
use crate::machine::{
    git_env, platform,
    process::{End, Process, Started},
    seal_keys::{self, KeySource},
};
use crate::secrets;
use std::{
    path::Path,
    process::ExitStatus,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

pub(crate) struct Output {
    pub(crate) ok: bool,
    pub(crate) out: String,
    /// Without control characters and credentials.
    pub(crate) err: String,
    /// Killed because it was silent for too long.
    pub(crate) timed_out: bool,
    /// Ended by a signal, so that it may have left lock files.
    pub(crate) killed: bool,
    /// What it was waiting for then.
    pub(crate) left: Vec<Started>,
}

#[derive(Clone, Debug)]
pub struct Access {
    pub timeout: Timeout,
    pub login: Option<Login>,
    /// Where the keys of a sealed remote are.
    pub keys: KeySource,
}

#[derive(Clone, Copy, Debug)]
pub struct Timeout {
    /// The longest time without output.
    pub silence: Duration,
    /// Whether a person can be asked for a password.
    pub interactive: bool,
}

/// For commands without network access: the network has `sync.timeout`, signing three times that.
pub(super) const LOCAL: Timeout = Timeout { silence: Duration::from_secs(60), interactive: false };

/// A credential helper of ours, for one http remote only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Login {
    /// Scheme, host and port of the remote.
    origin: String,
    helper: String,
}

impl Login {
    /// `None` if the URL is not http.
    pub fn for_url(url: &str, program: &Path) -> Option<Login> {
        let (scheme, rest) =
            url.split_once("://").filter(|(scheme, _)| matches!(*scheme, "http" | "https"))?;
        let host = rest.split('/').next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let helper = format!(
            "!{} hook credential",
            crate::identity::shell::quoted(&program.display().to_string())
        );
        Some(Login { origin: format!("{scheme}://{host}"), helper })
    }

    /// Disables the user's own helpers: git passes successful logins to each of them, and some
    /// store them in a file.
    pub(super) fn add_to(&self, process: &mut Process) {
        process.arg("-c").arg("credential.helper=");
        process.arg("-c").arg(format!("credential.{}.helper={}", self.origin, self.helper));
    }
}

/// Options that make git safe with an untrusted repository and remote.
const SAFETY: &[&str] = &[
    // Empty: a git before 2.36 would run a program named `false`.
    "core.fsmonitor=",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "transfer.fsckObjects=true",
    "fetch.fsckObjects=true",
    "protocol.ext.allow=never",
    "protocol.fd.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "http.lowSpeedLimit=1",
    "core.fsync=all",
];

pub fn git(git_dir: &Path, work_tree: Option<&Path>) -> Process {
    let mut process = Process::new("git");
    for option in SAFETY {
        process.arg("-c").arg(option);
    }
    process.arg("--git-dir").arg(git_dir);
    if let Some(tree) = work_tree {
        process.arg("--work-tree").arg(tree).current_dir(tree);
    }
    without_variables(&mut process);
    process
}

/// git outside any repository, with the user's own configuration.
pub fn bare_git() -> Process {
    let mut process = Process::new("git");
    without_variables(&mut process);
    process
}

/// Removes variables that redirect git, and requests messages that co can parse.
fn without_variables(process: &mut Process) {
    for name in git_env::all_places().chain(["LC_ALL".to_owned(), "LANGUAGE".to_owned()]) {
        process.env_remove(name);
    }
    // Neither git nor what it starts has to know it.
    process.env_remove(seal_keys::VARIABLE);
    process.env("LC_MESSAGES", "C").env("GIT_OPTIONAL_LOCKS", "0");
    // The only formats that co reads, whatever this git makes by default.
    process.env("GIT_DEFAULT_HASH", "sha1").env("GIT_DEFAULT_REF_FORMAT", "files");
}

/// Set when the caller has given up: running gits are killed.
static ABORTED: AtomicBool = AtomicBool::new(false);
/// How soon an aborted git ends.
pub const SOON: Duration = Duration::from_millis(500);

/// Ends every git of this process, and what it started, within [`SOON`].
pub fn abort_all() {
    ABORTED.store(true, Ordering::Relaxed);
}

/// A git that starts from now on runs to its end.
pub(super) fn abort_no_more() {
    ABORTED.store(false, Ordering::Relaxed);
}

/// Runs git until it ends or is silent for too long.
pub(crate) fn run(process: Process, timeout: Timeout) -> Result<Output, GitError> {
    let (output, bytes) = run_exact(process, timeout)?;
    Ok(Output { out: String::from_utf8_lossy(&bytes).into_owned(), ..output })
}

/// As [`run`], with the bytes of standard output, which need not be text.
pub(super) fn run_exact(
    mut process: Process,
    timeout: Timeout,
) -> Result<(Output, Vec<u8>), GitError> {
    super::stub::refuse_stub()?;
    if !timeout.interactive {
        // A separate process group can be killed as a whole, with ssh and remote helpers. If a
        // person may type a password, git has to stay in the terminal's group.
        process.own_group().env("GIT_TERMINAL_PROMPT", "0").env("GCM_INTERACTIVE", "never");
    }
    process.silence(timeout.silence).abort_with(&ABORTED);
    let finished = process.run().map_err(|source| GitError::NoGit { source })?;
    let timed_out = !matches!(finished.end, End::Exited(_) | End::Aborted);
    let signal = |status: ExitStatus| platform::signal(status).is_some();
    let output = Output {
        ok: finished.end.is_success(),
        killed: timed_out
            || finished.end == End::Aborted
            || matches!(finished.end, End::Exited(status) if status.is_some_and(signal)),
        out: String::new(),
        err: shown(&String::from_utf8_lossy(&finished.stderr)),
        timed_out,
        left: finished.left,
    };
    Ok((output, finished.stdout))
}

/// What a program printed, without control characters and credentials.
pub(super) fn shown(text: &str) -> String {
    secrets::redact(&without_credentials(&plain(text))).into_owned()
}

/// Text without user names and passwords in URLs.
pub fn without_credentials(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (head, tail) = rest.split_at(at + 3);
        out.push_str(head);
        let end = tail.find(['/', ' ', '\'', '"', '\n']).unwrap_or(tail.len());
        // `git@host` over ssh is not a secret; a password is.
        let host = match tail[..end].rfind('@') {
            Some(at)
                if tail[..at].contains(':')
                    || head.ends_with("http://")
                    || head.ends_with("https://") =>
            {
                at + 1
            }
            _ => 0,
        };
        rest = &tail[host..];
    }
    out.push_str(rest);
    out
}

/// The most informative line of git's error output.
pub fn reason(err: &str) -> String {
    let lines: Vec<&str> = err.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let telling = |line: &&&str| {
        line.starts_with("fatal:")
            || line.starts_with("ssh:")
            || line.starts_with("error:")
            || line.contains("denied")
            || line.contains("ERROR")
    };
    let line =
        lines.iter().find(telling).or(lines.last()).copied().unwrap_or("git printed nothing");
    line.trim_start_matches("fatal: ").trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_do_not_show() {
        assert_eq!(
            without_credentials("fatal: https://me:tok@host/x.git/ no"),
            "fatal: https://host/x.git/ no"
        );
        assert_eq!(without_credentials("https://ghp_x@host/x"), "https://host/x");
        assert_eq!(without_credentials("ssh://git@host/x"), "ssh://git@host/x");
        assert_eq!(without_credentials("git@host:x.git"), "git@host:x.git");
    }

    #[test]
    fn control_characters_do_not_show() {
        assert_eq!(plain("a\u{1b}[31mb\rc"), "a[31mb\nc");
        assert_eq!(shown("a\u{1b}b https://me:tok@host/x"), "ab https://host/x");
    }
}
