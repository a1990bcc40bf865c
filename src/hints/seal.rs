//! What can be done about a sealed remote.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::phrases::Hints;
use crate::git::sealed::SealedError;
use crate::machine::{
    keyring::{KEEPER, KeyringError},
    seal_keys::VARIABLE,
};
use crate::transfer::seal::SealError;

const GIVE: &str = "`co seal add` asks for the recovery key or passphrase and keeps the key in the \
    keyring of this laptop";

const WRITERS: &str =
    "ask who can write to that repository; `co seal status` shows what was seen there last";
const RESTORED: &str = "if it was restored from a backup, or somebody deleted or added files there: \
    `co seal repair` keeps what other laptops pushed, and the next sync merges it";

pub(super) fn sealed(error: &SealedError) -> Hints {
    let hint = match error {
        SealedError::NoKey { .. } => return vec![GIVE.to_owned(), without_keyring()],
        SealedError::Keyring { source, .. } => return keyring(source),
        SealedError::WrongKey { .. } => {
            "type the recovery key that was shown when the remote was sealed, or its passphrase; \
             `co seal recovery --new` on a laptop that syncs makes a new one"
        }
        SealedError::Removed { .. } => {
            "if it was removed by mistake: `co seal add --key FILE`, with the recovery key in FILE, \
             lets it in again"
        }
        SealedError::Lost { .. } => {
            "`co seal repair` puts back what the host lost, from what this laptop has"
        }
        SealedError::Untrusted { .. } => return vec![WRITERS.to_owned(), RESTORED.to_owned()],
        SealedError::Newer { .. } => "install a newer co on this laptop",
        SealedError::NotSealed { .. } => {
            "`co identity remote URL` sets another remote; to seal into an empty one: `co seal on URL`"
        }
        SealedError::NotBegun { .. } => {
            "`co sync` pushes one that was begun on this laptop; if another began it, sync there \
             first"
        }
        SealedError::Enclosed { .. } => {
            "`co identity move DIR` gives the identity a repository of its own"
        }
        SealedError::Shallow { .. } => "`git fetch --unshallow` there brings what it lacks",
        SealedError::TooManyKeys { .. } => "`co seal off URL`, then `co seal on URL` starts over",
        SealedError::TooLarge { .. } => {
            "push large files in several steps, or keep them out of the identity"
        }
    };
    vec![hint.to_owned()]
}

fn without_keyring() -> String {
    format!("on a server or in CI: {VARIABLE} with the recovery key")
}

fn opening(error: &KeyringError) -> impl Iterator<Item = String> {
    error.advice(KEEPER).iter().map(|hint| (*hint).to_owned())
}

fn keyring(error: &KeyringError) -> Hints {
    opening(error).chain([without_keyring()]).collect()
}

pub(super) fn seal(error: &SealError) -> Hints {
    let hint = match error {
        SealError::NoRemote => {
            "`co seal on URL` pushes the identity, sealed, to an empty repository"
        }
        SealError::NotSealed { .. } => "`co seal on URL` seals it, in another, empty repository",
        SealError::Already { .. } => "`co seal status` shows who has its keys",
        SealError::NotEmpty { .. } => {
            "create an empty private repository where it is hosted, and give its URL"
        }
        SealError::Keyring { source } => return keyring(source),
        SealError::NotBegun { source } => {
            let made = format!(
                "without a keyring: set {VARIABLE} to a key made by `age-keygen`; it becomes the \
                 recovery key"
            );
            return opening(source).chain([made]).collect();
        }
        SealError::NoLaptop { .. } => "`co seal status` lists the laptops",
        SealError::NoLaptops { .. } => {
            "to end the access of a server that has the recovery key: `co seal recovery --new`"
        }
        SealError::Itself { .. } => "run it on another laptop, or `co seal off` to stop sealing",
        SealError::NoRecoveryKey => {
            "it begins with AGE-SECRET-KEY-1; a passphrase works where one was set"
        }
        SealError::WrongRecoveryKey { .. } => {
            "`co seal recovery --new` makes another one; the old one then opens nothing new"
        }
        SealError::ShortPassphrase { .. } => "several unrelated words are easiest to remember",
        SealError::FileThere { .. } => "name a file that does not exist yet",
        SealError::NothingSeen { .. } => "`co sync` first",
    };
    vec![hint.to_owned()]
}
