//! What can be done after a failure about an identity's location, source or destination.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::phrases::Hints;
use crate::index::store::StoreError;
use crate::machine::seal_keys;
use crate::transfer::{
    export::ExportError, import::ImportError, init::InitError, relocate::RelocateError,
    restore::RestoreError, source::SourceError,
};
use crate::upkeep::{
    check::CheckError, git_hook::HookError, reindex::ReindexError, scan::ScanError,
};
use crate::workspace::{config::ConfigError, recognise::RecogniseError};

const SETTINGS: &str = "`co config` lists all settings";
const EMBEDDER: &str = "set everything at once: `co config set recall.embedder '{\"api\": \
    \"ollama\", \"url\": \"http://localhost:11434\", \"model\": \"nomic-embed-text\"}'`";
const NOT_OF_CO: &str = "co's exports never contain anything like that; remove the entry, or ask \
    whoever made the archive";

pub(super) fn check(error: &CheckError) -> Hints {
    match error {
        CheckError::FixOfPaths => {
            vec!["`co check PATH` checks part of it, `co check --fix` fixes what it can".to_owned()]
        }
        CheckError::NoPath { .. } => {
            vec!["use paths within the identity, e.g. knowledge/context.md".to_owned()]
        }
    }
}

pub(super) fn config(error: &ConfigError) -> Hints {
    match error {
        ConfigError::Unknown { .. } => vec![SETTINGS.to_owned()],
        ConfigError::UnknownInside { .. } => vec![SETTINGS.to_owned()],
        ConfigError::Value { name, .. } => {
            vec![format!("`co config get {name}` shows what it is now")]
        }
        ConfigError::NoFolder => {
            vec!["`co config unset identity_path` goes back to the default".to_owned()]
        }
        ConfigError::Secret { name } => vec![format!(
            "`co secret set NAME` keeps the value in the keyring; then `co config set {name} '{{{{secret:NAME}}}}'`"
        )],
        ConfigError::File { .. } => vec!["correct the file, then run the command again".to_owned()],
        ConfigError::Whole { .. } => vec![EMBEDDER.to_owned()],
    }
}

pub(super) fn export(error: &ExportError) -> Hints {
    match error {
        ExportError::NoPlace => vec!["`co identity export FILE.tar.gz`".to_owned()],
        ExportError::Inside { .. } => vec!["export to another folder".to_owned()],
        ExportError::NotReadBack { .. } => {
            vec!["check the disk, then export to another place".to_owned()]
        }
        ExportError::IsFolder { .. } => vec!["name a file, or use `--format dir`".to_owned()],
        ExportError::NoFolder { .. } => {
            vec!["create it first, or check the path".to_owned()]
        }
        ExportError::OtherFormat { .. } => vec!["name it FILE.tar.gz".to_owned()],
        ExportError::OtherFile { .. } => {
            vec!["name another file, or move that one away".to_owned()]
        }
        ExportError::TooLarge { .. } => vec!["`--format dir` has no such limit".to_owned()],
        ExportError::TooMany { .. } => vec!["`--format dir` has no such limit".to_owned()],
        ExportError::IsFile { .. } => {
            vec!["name a folder, or omit `--format dir`".to_owned()]
        }
        ExportError::OtherFiles { .. } => vec!["name a new or empty folder".to_owned()],
        ExportError::ForeignFile { .. } => {
            vec!["name another folder, or move that file away".to_owned()]
        }
    }
}

pub(super) fn hook(error: &HookError) -> Hints {
    match error {
        HookError::BothSides { .. } => vec!["resolve it as usual, then `git add` it".to_owned()],
        HookError::NoFile { .. } => {
            vec!["git calls this command with the files of a merge (%O %A %B)".to_owned()]
        }
        HookError::TwoMemories { .. } => vec!["`co sync` finishes the merge".to_owned()],
        HookError::Login => {
            vec!["check sync.username and the secret that sync.password names".to_owned()]
        }
    }
}

pub(super) fn import(error: &ImportError) -> Hints {
    match error {
        ImportError::Changed => vec!["run the command again".to_owned()],
        ImportError::NeedsAgreement => {
            vec!["use `--yes` to accept everything, `--dry-run` to preview".to_owned()]
        }
    }
}

pub(super) fn recognise(error: &RecogniseError) -> Hints {
    match error {
        RecogniseError::Emptied { root, prefix, .. } => {
            vec![format!("`git -C {root} checkout -- {prefix}` brings them back")]
        }
        RecogniseError::Other { .. } => vec![
            "co uses a repository of its own: `gh repo create co-identity --private` creates one, \
             or name an empty folder"
                .to_owned(),
        ],
        RecogniseError::Sealed { .. } => {
            vec!["`co identity remote URL` with its URL opens it".to_owned()]
        }
    }
}

pub(super) fn reindex(_: &ReindexError) -> Hints {
    vec!["recall works without it, only more slowly".into()]
}

pub(super) fn relocate(error: &RelocateError) -> Hints {
    match error {
        RelocateError::NamedElsewhere => {
            vec!["omit that: what moves is the identity that settings.json names".to_owned()]
        }
        RelocateError::EmptyName => vec!["is a shell variable unset?".to_owned()],
        RelocateError::Nested { .. } => vec!["name another folder".to_owned()],
        RelocateError::Taken { .. } => vec!["name a new or empty folder".to_owned()],
        RelocateError::Unreadable { .. } => vec!["`co check` shows what is wrong".to_owned()],
        RelocateError::InIdentity { .. } | RelocateError::InGitDir { .. } => {
            vec!["name a folder elsewhere".to_owned()]
        }
        RelocateError::Links { folder, .. } => vec![format!(
            "move {folder}, then run stow or rcm again; or point identity_path to it (`co config \
             set identity_path`), and remove the links"
        )],
        RelocateError::Link { .. } => vec![
            "give it an absolute path outside the identity, or replace it with the file".to_owned(),
        ],
        RelocateError::Submodule { .. } => vec![
            "`git mv` in the outer repository moves it there; elsewhere, clone its remote and point \
             identity_path to the clone (`co config set identity_path`)"
                .to_owned(),
        ],
        RelocateError::Ignored { ignored, below, file, .. } => vec![format!(
            "to let git commit the identity there, add these rules at the end of {file}, in this \
             order: {}; or name a folder elsewhere",
            let_through(ignored, below)
        )],
        RelocateError::InRepository { to, .. } => vec![format!(
            "`co identity move {to}` copies the identity's files there, to be committed in that \
             repository"
        )],
        RelocateError::NotBack { .. } => {
            vec!["`co identity move DIR` moves it to another folder".to_owned()]
        }
        RelocateError::MovedOn { .. } => {
            vec!["`co identity move DIR` moves it from there".to_owned()]
        }
        RelocateError::NotCopied { .. } => {
            vec!["the old folder is unchanged; check the disk, or try another folder".to_owned()]
        }
    }
}

/// The rules that let one folder through, and nothing beside it. git enters no ignored folder, so
/// each one on the way is opened, from the outermost ignored one on, and what else is in it is
/// ignored again.
fn let_through(ignored: &str, below: &str) -> String {
    let outside = ignored.rfind('/').map_or(0, |end| end + 1);
    let on_the_way = below.match_indices('/').map(|(end, _)| end).filter(|end| *end > outside);
    let opened = on_the_way.map(|end| &below[..end]);
    let opened: String = opened.map(|folder| format!("`!/{folder}/`, `/{folder}/*`, ")).collect();
    format!("{opened}`!/{below}/`, `!/{below}/**`")
}

pub(super) fn restore(error: &RestoreError) -> Hints {
    match error {
        RestoreError::NoCommit { .. } => {
            vec!["`git log` in the identity shows them; HEAD is the last one".to_owned()]
        }
        RestoreError::NoFile { .. } => vec!["`co identity show` lists its files".to_owned()],
        RestoreError::Unreadable { .. } => vec![],
        RestoreError::NotInCommit { .. } => vec![
            "use paths within the identity, e.g. profile.md; `git log` shows when one existed"
                .to_owned(),
        ],
    }
}

pub(super) fn scan(error: &ScanError) -> Hints {
    match error {
        ScanError::NotRegular { .. } => vec!["name a file or a folder".to_owned()],
        ScanError::NoPath { .. } => vec!["check the path".to_owned()],
        ScanError::NoHistory { .. } => {
            vec!["with --history, use paths within the identity, e.g. traits/ci.md".to_owned()]
        }
    }
}

pub(super) fn source(error: &SourceError) -> Hints {
    match error {
        SourceError::Empty => vec!["name an archive, a folder, a commit or the remote".to_owned()],
        SourceError::Unknown { .. } => vec![
            "give a file or folder by its path, a commit as a git revision (HEAD~3, \
             main@{yesterday}), a remote by its name (origin)"
                .to_owned(),
        ],
        SourceError::Remote { .. } => vec!["`co sync` merges with it".to_owned()],
        SourceError::Commit { text } => {
            vec![format!("`co identity restore --from {text} PATH` restores files from it")]
        }
        SourceError::Unimportable => vec!["`co sync` merges".to_owned()],
        SourceError::Refused { .. } => vec![NOT_OF_CO.to_owned()],
        SourceError::Contradicted { .. } => vec![
            NOT_OF_CO.to_owned(),
            "to import it anyway, unpack it and import the folder".to_owned(),
        ],
        SourceError::LeadsOut { .. } => vec![
            NOT_OF_CO.to_owned(),
            "copy the folder with `cp -L` and import the copy".to_owned(),
        ],
        SourceError::Service { typed, .. } | SourceError::Json { typed, .. } => {
            vec![format!("`co agent import --from {typed}` reads the memories in it")]
        }
        SourceError::Zip { .. } => {
            vec![
                "name the file that `co export` wrote, or unpack this one and name the folder"
                    .to_owned(),
            ]
        }
        SourceError::Itself { .. } => vec!["name another folder or an archive".to_owned()],
        SourceError::NoIdentity { .. } => vec!["name the folder that holds them".to_owned()],
        SourceError::Closed { .. } => vec!["`co check` says why".to_owned()],
    }
}

pub(super) fn store(error: &StoreError) -> Hints {
    match error {
        StoreError::NoIdentity { .. } => {
            vec!["`co init` creates one, `co init URL` brings yours from another laptop".to_owned()]
        }
        StoreError::LinkedProject { .. } => vec![
            "replace it with a real folder; co neither reads nor writes through the \
             link"
                .to_owned(),
        ],
        StoreError::NoProject { .. } => {
            vec!["run `mkdir .co-cli` in the project's folder, or omit --scope".to_owned()]
        }
    }
}

pub(super) fn init(error: &InitError) -> Hints {
    let hint = match error {
        InitError::TimeZone { meant: Some(meant), .. } => {
            return vec![format!("did you mean {meant}?")];
        }
        InitError::TimeZone { .. } => "write it as e.g. Europe/Berlin, or omit it",
        InitError::InGitDir { .. } => "name a folder in a work tree, or an empty one",
        InitError::Link { .. } => "replace it with a real folder: co writes nothing through a link",
        InitError::NoRepository { .. } => {
            "write it as git@host:path, https://host/path or /path/to/repository.git"
        }
        InitError::NoTarget { .. } => "create the folder first, or check the address",
        InitError::File { .. } => "`co init DIR` or `co init URL`",
        InitError::SecondIdentity { .. } => {
            "move it into that folder first, or set identity_path in settings.json, or use \
             `--identity` and CO_IDENTITY_PATH"
        }
        InitError::OthersRepository { .. } => {
            "`co sync` there uses them; or choose another place with `--identity`"
        }
        InitError::SecondRemote { url, .. } => {
            return vec![format!("`co identity remote {url}` changes that")];
        }
        InitError::OthersRemotes { root, url } => {
            return vec![format!("`git -C {root} remote add origin {url}`")];
        }
        InitError::Sealed { .. } => {
            return vec![
                "at a terminal co asks for it; `--key FILE` reads it from a file, `--key -` from a \
                 pipe"
                    .to_owned(),
                format!("on a server or in CI: {} with the recovery key", seal_keys::VARIABLE),
            ];
        }
        InitError::NotSealed { url } => {
            return vec![
                format!("if it is empty: `co seal on {url}` publishes the identity sealed there"),
                "if it was sealed: somebody replaced what lies there; a laptop that syncs with it puts \
                 it back with `co seal repair`"
                    .to_owned(),
                "if it is meant to be plain: the same without `--key`".to_owned(),
            ];
        }
        InitError::Unsealing { url } => {
            return vec![
                format!("`co seal off {url}` pushes it there unsealed, readable by its host"),
                format!(
                    "to move it sealed: `git clone --mirror` the old repository, `git push \
                     --mirror {url}` in the clone, then this command again"
                ),
            ];
        }
        InitError::OwnUrl { .. } => "name a repository that the other laptops can reach, too",
        // The cause has its own hints.
        InitError::Elsewhere(_) | InitError::Unreachable { .. } => return Hints::new(),
    };
    vec![hint.to_owned()]
}

pub(super) fn store_by_model(error: &StoreError) -> Hints {
    let hint = match error {
        StoreError::NoIdentity { .. } => {
            "the user can create one with `co init`, or bring theirs from another laptop with `co \
             init URL`"
        }
        StoreError::LinkedProject { .. } => {
            "only the user can replace the link with a folder; co neither reads nor writes through it"
        }
        StoreError::NoProject { .. } => {
            "omit the scope; the user can make this a project with `mkdir .co-cli`"
        }
    };
    vec![hint.to_owned()]
}
