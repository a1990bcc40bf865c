//! The git program: started with a safe configuration, watched, and killed when it is silent.
//!
//! Invariant: text from a remote reaches the caller without control characters and credentials;
//! nothing that looks like an option is passed where a URL is meant.

use super::{
    GitError, Id, Repo,
    error::{LocalErrorKind, Words},
};
use crate::{
    secrets,
    system::{git_env, program},
};
use std::{
    io::Read,
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
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
}

#[derive(Clone, Debug)]
pub struct Access {
    pub timeout: Timeout,
    pub login: Option<Login>,
}

#[derive(Clone, Copy, Debug)]
pub struct Timeout {
    /// The longest time without output.
    pub silence: Duration,
    /// Whether a person can be asked for a password.
    pub interactive: bool,
}

/// For commands that use no network.
pub(super) const LOCAL: Timeout = Timeout { silence: Duration::from_secs(60), interactive: false };

/// A credential helper of ours, for one http remote only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Login {
    /// Scheme, host and port of the remote.
    origin: String,
    helper: String,
}

impl Login {
    /// `None` when the URL is not http.
    pub fn of(url: &str, program: &Path) -> Option<Login> {
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

    /// Disables the user's own helpers: git tells each of a login that worked; some store it in a
    /// file.
    pub(super) fn add_to(&self, command: &mut Command) {
        command.arg("-c").arg("credential.helper=");
        command.arg("-c").arg(format!("credential.{}.helper={}", self.origin, self.helper));
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

pub fn git(git_dir: &Path, work_tree: Option<&Path>) -> Command {
    let mut command = Command::new("git");
    for option in SAFETY {
        command.arg("-c").arg(option);
    }
    command.arg("--git-dir").arg(git_dir);
    if let Some(tree) = work_tree {
        command.arg("--work-tree").arg(tree).current_dir(tree);
    }
    for name in git_env::all_places().chain(["LC_ALL".to_owned(), "LANGUAGE".to_owned()]) {
        command.env_remove(name);
    }
    command.env("LC_MESSAGES", "C").env("GIT_OPTIONAL_LOCKS", "0").stdin(Stdio::null());
    command
}

/// Runs git until it ends or is silent for too long.
pub(crate) fn run(mut command: Command, timeout: Timeout) -> Result<Output, GitError> {
    super::program::refuse_stub()?;
    if !timeout.interactive {
        // A process group of its own can be killed whole, with ssh and remote helpers. Where a
        // person may type a password, git has to stay in the terminal's group.
        command.process_group(0).env("GIT_TERMINAL_PROMPT", "0").env("GCM_INTERACTIVE", "never");
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|source| GitError::NoGit { source })?;
    let ([out, err], timed_out) = listen(&mut child, timeout);
    let status = child.wait();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (out, err) = (text(out), text(err));
    Ok(Output {
        ok: status.as_ref().is_ok_and(|status| status.success()) && !timed_out,
        killed: timed_out || status.is_ok_and(|status| status.signal().is_some()),
        out,
        err: secrets::redact(&without_credentials(&plain(&err))).into_owned(),
        timed_out,
    })
}

/// Set when the caller gave up: running gits are to be killed.
static GIVEN_UP: AtomicBool = AtomicBool::new(false);
/// How soon a git that nobody waits for is ended.
pub const SOON: Duration = Duration::from_millis(500);

/// Ends every git of this process within [`SOON`], and whatever it started.
pub fn abort_all() {
    GIVEN_UP.store(true, Ordering::Relaxed);
}

fn listen(child: &mut Child, timeout: Timeout) -> ([Vec<u8>; 2], bool) {
    let (sender, receiver) = mpsc::channel::<(usize, Vec<u8>)>();
    let pipes: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
    ];
    for (which, pipe) in pipes.into_iter().enumerate() {
        let (Some(mut pipe), sender) = (pipe, sender.clone()) else { continue };
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                if sender.send((which, buffer[..count].to_vec())).is_err() {
                    break;
                }
            }
        });
    }
    drop(sender);
    let mut heard = [Vec::new(), Vec::new()];
    let mut last = Instant::now();
    // Found ended after a silence; only another silence after that is the end.
    let mut is_over = false;
    loop {
        match receiver.recv_timeout(Duration::from_millis(200)) {
            // A helper that git left running may keep the pipes open; git itself is done, and what
            // it said last may still be on its way.
            Err(mpsc::RecvTimeoutError::Timeout) if matches!(child.try_wait(), Ok(Some(_))) => {
                if is_over {
                    return (heard, false);
                }
                is_over = true;
            }
            Ok(_) if GIVEN_UP.load(Ordering::Relaxed) => {
                end(child, timeout);
                return (heard, true);
            }
            Ok((which, bytes)) => {
                heard[which].extend(bytes);
                last = Instant::now();
                is_over = false;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => return (heard, false),
            Err(mpsc::RecvTimeoutError::Timeout)
                if last.elapsed() < timeout.silence && !GIVEN_UP.load(Ordering::Relaxed) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => {
                end(child, timeout);
                return (heard, true);
            }
        }
    }
}

/// Kills git and everything it started: a signing program, ssh, hooks.
fn end(child: &mut Child, timeout: Timeout) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let below = descendants(child.id());
    if let (Some(pid), false) = (pid, timeout.interactive) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let _ = child.kill();
    for pid in below.into_iter().filter_map(|pid| Pid::from_raw(i32::try_from(pid).ok()?)) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// All descendants.
fn descendants(of: u32) -> Vec<u32> {
    // Where there is `/proc`, `ps` need not be installed.
    let listed = if cfg!(target_os = "linux") { Vec::new() } else { program::processes() };
    below(of, |pid| {
        if cfg!(target_os = "linux") { children_by_proc(pid) } else { children_of(pid, &listed) }
    })
}

fn below(of: u32, children: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
    let mut found = children(of);
    let mut at = 0;
    while let Some(pid) = found.get(at).copied() {
        found.extend(children(pid));
        at += 1;
    }
    found
}

fn children_by_proc(pid: u32) -> Vec<u32> {
    let listed = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    listed.unwrap_or_default().split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Of processes with their parents.
fn children_of(pid: u32, listed: &[(u32, u32)]) -> Vec<u32> {
    listed.iter().filter(|(_, parent)| *parent == pid).map(|(child, _)| *child).collect()
}

/// Text without control characters, so that it cannot drive a terminal.
pub fn plain(text: &str) -> String {
    text.replace('\r', "\n")
        .chars()
        .filter(|c| *c == '\n' || *c == '\t' || !c.is_control())
        .collect()
}

/// Text without user names and passwords in URLs.
pub fn without_credentials(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (head, tail) = rest.split_at(at + 3);
        out.push_str(head);
        let end = tail.find(['/', ' ', '\'', '"', '\n']).unwrap_or(tail.len());
        // `git@host` over ssh is no secret; a password is.
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

/// The most telling line of git's error output.
pub fn reason(err: &str) -> String {
    let lines: Vec<&str> = err.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let telling = |line: &&&str| {
        line.starts_with("fatal:")
            || line.starts_with("ssh:")
            || line.starts_with("error:")
            || line.contains("denied")
            || line.contains("ERROR")
    };
    let line = lines.iter().find(telling).or(lines.last()).copied().unwrap_or("git said nothing");
    line.trim_start_matches("fatal: ").trim_start_matches("error: ").to_owned()
}

/// Commits through the git program, which can sign.
pub(super) fn commit_tree(
    repo: &Repo,
    tree: Id,
    parents: &[Id],
    message: &str,
    [author, committer]: &[gix::actor::Signature; 2],
) -> Result<Id, GitError> {
    let mut command = git(repo.git_dir(), None);
    for (role, person) in [("AUTHOR", author), ("COMMITTER", committer)] {
        command.env(format!("GIT_{role}_NAME"), person.name.to_string());
        command.env(format!("GIT_{role}_EMAIL"), person.email.to_string());
    }
    command.args(["commit-tree", "-S", "-m", message]);
    for parent in parents {
        command.arg("-p").arg(parent.to_string());
    }
    command.arg(tree.to_string());
    let output = run(command, repo.signing)?;
    let failed = |why: String| GitError::Local {
        action: "sign a commit",
        repository: repo.root.clone(),
        error_kind: LocalErrorKind::Signing,
        source: Words(why).into(),
    };
    if output.timed_out {
        let seconds = repo.signing.silence.as_secs();
        return Err(failed(format!("the signing program said nothing for {seconds} s")));
    }
    if !output.ok {
        return Err(failed(reason(&output.err)));
    }
    Id::from_hex(output.out.trim().as_bytes()).map_err(|_| failed("no commit came of it".into()))
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
    fn all_that_a_git_started_is_found_where_only_ps_lists_it() {
        let listed = [(10, 1), (11, 10), (12, 11), (13, 1), (14, 10)];
        let mut found = below(10, |pid| children_of(pid, &listed));
        found.sort_unstable();
        assert_eq!(found, [11, 12, 14]);
        // As the real one lists it; `ps` is not on every machine.
        let mut child = Command::new("sleep").arg("30").spawn().expect("sleep");
        let listed = program::processes();
        let mine = children_of(std::process::id(), &listed);
        assert!(listed.is_empty() || mine.contains(&child.id()), "{mine:?}");
        let _ = child.kill().and_then(|()| child.wait());
    }

    #[test]
    fn control_characters_do_not_show() {
        assert_eq!(plain("a\u{1b}[31mb\rc"), "a[31mb\nc");
    }
}
