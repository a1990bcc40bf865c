//! Classifies local and remote failures by the messages of git, gix, ssh and servers.
//!
//! Invariant: output of the git program is parsed in one place, by [`RemoteErrorKind::read_line`]
//! and [`LocalErrorKind::read`]; each kind has its own message.

use std::{error::Error, io};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalErrorKind {
    /// Objects are missing or damaged.
    Damaged,
    Ownership,
    Configuration,
    /// A reftable.
    RefFormat,
    /// sha256, or an extension that co does not read.
    HashFormat,
    Permission,
    Full,
    /// A lock file that another git holds, or left behind when it was killed.
    Lock,
    Signing,
    Other,
}

impl LocalErrorKind {
    /// Classifies an error of gix or the system.
    pub fn classify(action: &str, error: &(dyn Error + 'static)) -> LocalErrorKind {
        let io = std::iter::successors(Some(error), |&error| error.source())
            .find_map(|error| error.downcast_ref::<io::Error>().map(io::Error::kind));
        let class = || gix::error::classify(error);
        let opening = action == "open the repository";
        match io {
            Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => LocalErrorKind::Full,
            Some(io::ErrorKind::PermissionDenied) if !opening => LocalErrorKind::Permission,
            Some(io::ErrorKind::AlreadyExists) if class().is_retryable() => LocalErrorKind::Lock,
            _ if class().is_unsupported() => LocalErrorKind::HashFormat,
            _ if class().is_permission_denied() && opening => LocalErrorKind::Ownership,
            _ if class().is_permission_denied() => LocalErrorKind::Permission,
            _ if class().is_validation() && opening => LocalErrorKind::Configuration,
            _ if class().is_corrupted() || class().is_not_found() => LocalErrorKind::Damaged,
            _ => LocalErrorKind::Other,
        }
    }

    /// Classifies output of the git program; `None` if it is not about anything local.
    pub fn read(err: &str) -> Option<LocalErrorKind> {
        let says = |words: &[&str]| words.iter().any(|word| err.contains(word));
        if says(&[".lock': File exists", "Unable to create '", "cannot lock ref"]) {
            return Some(LocalErrorKind::Lock);
        }
        if says(&["No space left on device", "Disk quota exceeded", "Out of diskspace"]) {
            return Some(LocalErrorKind::Full);
        }
        if says(&["detected dubious ownership"]) {
            return Some(LocalErrorKind::Ownership);
        }
        if says(&["bad config", "fatal: bad numeric config", "bad boolean config"]) {
            return Some(LocalErrorKind::Configuration);
        }
        if says(&["unable to write loose object", "insufficient permission for adding an object"]) {
            return Some(LocalErrorKind::Permission);
        }
        if says(&["gpg failed", "failed to sign", "failed to write commit object"]) {
            return Some(LocalErrorKind::Signing);
        }
        // Of a disk that was full, git may say no more than that.
        if says(&["couldn't write '", "unable to create temporary file", "unable to write file "]) {
            return Some(LocalErrorKind::Other);
        }
        None
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemoteErrorKind {
    /// No route, unknown name, refused, timed out: the next sync may get through.
    Unreachable,
    Authentication,
    /// The host's key has changed.
    HostKey,
    /// The host is not known here yet.
    UnknownHost,
    /// There is no such repository, or this login may not see it.
    MissingRepository,
    /// A hook on this laptop refused.
    HookHere,
    /// A hook on this laptop cannot start.
    DeadHook,
    /// A hook on this laptop did not end.
    HangingHook,
    /// A hook or rule on the server refused.
    Refused,
    /// The server answered, but declined: too large, over a quota.
    Answered,
    /// Its repository names objects in another way.
    HashAlgorithm,
    ServerError,
    /// The histories cannot be combined (shallow, partial).
    Shallow,
    /// The answer is not a git server's.
    Protocol,
}

/// Messages of git, ssh and servers in lower case; the first matching row applies.
const MESSAGES: &[(RemoteErrorKind, &[&str])] = &[
    (
        RemoteErrorKind::HostKey,
        &[
            "host identification has changed",
            "has changed and you have requested strict",
            "revoked host key",
            "host key mismatch",
            "does not match the one putty has cached",
        ],
    ),
    // Where nobody can be asked, ssh says no more than that of a host that is new here.
    (
        RemoteErrorKind::UnknownHost,
        &[
            "host key is known for",
            "authenticity of host",
            "host key is not cached",
            "not in the trusted hosts file",
            "host key verification failed",
        ],
    ),
    (
        RemoteErrorKind::Authentication,
        &[
            "permission denied (",
            "authentication failed",
            "could not read username",
            "could not read password",
            "terminal prompts disabled",
            "returned error: 401",
            "returned error: 403",
            "invalid credentials",
            "too many authentication failures",
            "no supported authentication",
        ],
    ),
    // The server answered, so its other words do not matter.
    (RemoteErrorKind::ServerError, &["returned error: 5", "internal server error"]),
    // Before the words for missing files: git says of a hook that there is no such file.
    (
        RemoteErrorKind::HookHere,
        &[
            "updates aborted by hook",
            "by the reference-transaction hook",
            "/pre-push'",
            "/reference-transaction'",
        ],
    ),
    // Also a missing folder, such as an unmounted disk.
    (
        RemoteErrorKind::MissingRepository,
        &[
            "repository not found",
            "does not exist",
            "does not appear to be a git repository",
            "returned error: 404",
            "' not found",
            "no such repository",
            "project you were looking for could not be found",
            "access denied or repository not exported",
        ],
    ),
    (RemoteErrorKind::HashAlgorithm, &["mismatched algorithms", "object format", "hash algorithm"]),
    (
        RemoteErrorKind::Unreachable,
        &[
            "could not resolve host",
            "name or service not known",
            "temporary failure in name resolution",
            "connection refused",
            "connection timed out",
            "network is unreachable",
            "no route to host",
            "operation timed out",
            "failed to connect",
            "couldn't connect",
            "could not connect",
            "unable to connect",
            "operation too slow",
            "timed out",
        ],
    ),
    (RemoteErrorKind::HookHere, &["hook declined", "pre-push"]),
    (RemoteErrorKind::Shallow, &["shallow", "--unshallow", "partial clone", "promisor"]),
];

/// A closed connection. It means nothing if another line has the cause: a server that refuses also
/// hangs up.
const ENDED: &[&str] = &[
    "connection reset",
    "connection closed",
    "broken pipe",
    "hung up unexpectedly",
    "early eof",
    "unexpected disconnect",
    "transfer closed",
    "empty reply from server",
    "rpc failed; curl",
];

/// Lines that git adds to any failure.
const BESIDE: &[&str] = &[
    "could not read from remote repository",
    "please make sure you have the correct access rights",
    "and the repository exists",
    "failed to push some refs",
    "invalid index-pack output",
];

/// A server's answer with its own status, tried after the rows above.
const ANSWERED: &[&str] = &["http 4", "returned error: 4"];

impl RemoteErrorKind {
    /// The kind of failure, and the line that shows it. A silent remote is assumed only if nothing
    /// else matches.
    pub fn read_line(err: &str) -> Option<(RemoteErrorKind, &str)> {
        let says = |line: &str, words: &[&str]| {
            let line = line.to_lowercase();
            words.iter().any(|word| line.contains(word))
        };
        let known = RemoteErrorKind::known(err);
        let of_weight = |error_kind: &RemoteErrorKind| *error_kind != RemoteErrorKind::Unreachable;
        if let Some((error_kind, line)) = known.filter(|(error_kind, _)| of_weight(error_kind)) {
            return Some((error_kind, line));
        }
        if let Some(line) = err.lines().find(|line| says(line, ANSWERED)) {
            return Some((RemoteErrorKind::Answered, line.trim()));
        }
        if known.is_some() {
            return known;
        }
        let ended = err.lines().find(|line| says(line, ENDED))?;
        let is_cause = |line: &&str| {
            let starts = ["fatal:", "error:", "remote:"].iter().any(|word| line.starts_with(word));
            starts && !says(line, ENDED) && !says(line, BESIDE)
        };
        Some(match err.lines().map(str::trim).find(is_cause) {
            Some(cause) => (RemoteErrorKind::Answered, cause),
            None => (RemoteErrorKind::Unreachable, ended.trim()),
        })
    }

    fn known(err: &str) -> Option<(RemoteErrorKind, &str)> {
        MESSAGES.iter().find_map(|(error_kind, words)| {
            let says = |line: &&str| {
                let line = line.to_lowercase();
                words.iter().any(|word| line.contains(word))
            };
            err.lines().find(says).map(|line| (*error_kind, line.trim()))
        })
    }

    /// Whether trying the login with ssh alone shows more.
    pub(super) fn is_of_ssh(self) -> bool {
        matches!(
            self,
            RemoteErrorKind::Authentication
                | RemoteErrorKind::HostKey
                | RemoteErrorKind::UnknownHost
        )
    }

    pub(super) fn sentence(self, remote: &str) -> String {
        match self {
            RemoteErrorKind::Unreachable => format!("{remote} cannot be reached"),
            RemoteErrorKind::Authentication => format!("{remote} refused the login"),
            RemoteErrorKind::HostKey => {
                format!("the host key of {remote} does not match the known one")
            }
            RemoteErrorKind::UnknownHost => {
                format!("the host key of {remote} is not known on this laptop yet")
            }
            RemoteErrorKind::MissingRepository => {
                format!("{remote} has no such repository, or this login cannot see it")
            }
            RemoteErrorKind::HookHere => {
                format!("a hook on this laptop stopped the exchange with {remote}")
            }
            RemoteErrorKind::DeadHook => {
                format!("a hook on this laptop cannot start, so git was not run for {remote}")
            }
            RemoteErrorKind::HangingHook => {
                format!("a hook on this laptop held up the exchange with {remote}")
            }
            RemoteErrorKind::Refused => format!("{remote} refused the push"),
            RemoteErrorKind::Answered | RemoteErrorKind::HashAlgorithm => {
                format!("{remote} answered, but refused")
            }
            RemoteErrorKind::ServerError => format!("{remote} has a server problem"),
            RemoteErrorKind::Shallow => format!("{remote} and this clone are not compatible"),
            RemoteErrorKind::Protocol => format!("cannot communicate with {remote}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_no_is_told_apart() {
        use RemoteErrorKind as R;
        for (words, error_kind) in [
            ("fatal: unable to access 'https://x/': Could not resolve host: x", R::Unreachable),
            ("ssh: connect to host x port 22: Connection refused", R::Unreachable),
            ("git@github.com: Permission denied (publickey).", R::Authentication),
            ("fatal: Authentication failed for 'https://x/'", R::Authentication),
            ("The requested URL returned error: 403", R::Authentication),
            ("Host key verification failed.", R::UnknownHost),
            ("Host key verification failed.\nfatal: Could not read from remote", R::UnknownHost),
            (
                "Host key for example.org has changed and you have requested strict checking.\nHost \
                 key verification failed.",
                R::HostKey,
            ),
            ("@ WARNING: REVOKED HOST KEY DETECTED! @\nHost key verification failed.", R::HostKey),
            ("The server's host key is not cached in the registry.", R::UnknownHost),
            ("No ED25519 host key is known for x and you have", R::UnknownHost),
            ("fatal: ref updates aborted by hook", R::HookHere),
            ("fatal: cannot exec '.git/hooks/pre-push': No such file or directory", R::HookHere),
            ("remote: Repository not found.", R::MissingRepository),
            ("fatal: '/x.git' does not appear to be a git repository", R::MissingRepository),
            ("The requested URL returned error: 503", R::ServerError),
            ("fatal: repository 'https://x/y.git/' not found", R::MissingRepository),
            ("fatal: git fetch: shallow update not allowed", R::Shallow),
            (
                "error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\nfatal: the \
                 remote end hung up unexpectedly",
                R::Answered,
            ),
            (
                "fatal: mismatched algorithms: client sha1; server sha256\nfatal: the remote end hung up \
                 unexpectedly",
                R::HashAlgorithm,
            ),
            (
                "fatal: the receiving end does not support this repository's hash algorithm\n\
                 fatal: the remote end hung up unexpectedly",
                R::HashAlgorithm,
            ),
            ("remote: quota exceeded\nfatal: the remote end hung up unexpectedly", R::Answered),
            ("fatal: the remote end hung up unexpectedly", R::Unreachable),
            ("send-pack: unexpected disconnect while reading sideband packet", R::Unreachable),
            ("fatal: protocol error: bad line length character: <htm", R::Protocol),
        ] {
            let read = R::read_line(words).map_or(R::Protocol, |(read, _)| read);
            assert_eq!(read, error_kind, "{words}");
        }
        let changed = "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification \
                       failed.\nfatal: Could not read from remote repository.";
        let line = R::read_line(changed).map(|(_, line)| line);
        assert_eq!(line, Some("@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @"));
        let lock = "error: cannot lock ref 'refs/x': Unable to create '/x.lock': File exists.";
        assert_eq!(LocalErrorKind::read(lock), Some(LocalErrorKind::Lock));
        assert_eq!(LocalErrorKind::read("fatal: Could not read from remote repository."), None);
        let full = "fatal: sha1 file '<stdout>' write error. Out of diskspace";
        assert_eq!(LocalErrorKind::read(full), Some(LocalErrorKind::Full));
        let cut = "error: cannot update ref 'refs/x': couldn't write '/x.git/refs/x.lock'";
        assert_eq!(LocalErrorKind::read(cut), Some(LocalErrorKind::Other));
    }
}
