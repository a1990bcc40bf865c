//! Where another identity is read from: an archive, a folder, a commit.
//!
//! Invariant: reading writes nothing; one entry that does not belong in an identity refuses the
//! whole source.

use super::{Exit, Failure, store::Store};
use crate::identity::{
    Kind, RelPath, Snapshot,
    manifest::{self, Manifest},
    portable,
};
use crate::system::{
    Context, SystemError, archive, files, folder,
    git::{Id, Repo},
};
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A tar archive; `-` is standard input.
    Archive(PathBuf),
    Folder(PathBuf),
    /// The remote of the current branch.
    Remote,
    /// A commit of the repository that the identity lives in.
    Commit(Id),
}

#[derive(Clone, Debug)]
pub struct Incoming {
    pub snapshot: Snapshot,
    pub manifest: Manifest,
    pub warnings: Vec<String>,
}

impl Source {
    /// Tries a file or folder first, then the remote, then a commit.
    pub fn named(context: &Context, text: &str) -> Result<Source, Failure> {
        if text.trim().is_empty() {
            return Err(Failure::new(Exit::Usage, "the source is empty")
                .hint("name an archive, a folder, a commit or the remote"));
        }
        if text == "-" {
            return Ok(Source::Archive("-".into()));
        }
        let path = context.typed_path(text);
        if files::is_dir(&path) {
            return Ok(Source::Folder(path));
        }
        if files::exists(&path) {
            return Ok(Source::Archive(path));
        }
        if let Some(repo) = Repo::discover(context).map_err(SystemError::from)? {
            if repo
                .branch(&context.settings.sync)
                .is_ok_and(|branch| branch.remote.as_deref() == Some(text) || text == "remote")
            {
                return Ok(Source::Remote);
            }
            if let Some(id) = repo.revision(text) {
                return Ok(Source::Commit(id));
            }
        }
        Err(Failure::new(
            Exit::NotFound,
            format!(
                "`{text}` is no archive, folder, commit or \
            remote"
            ),
        )
        .hint(
            "a file or folder by its path, a commit as git names it (HEAD~3, \
                main@{yesterday}), a remote by its name (origin)",
        ))
    }

    /// As [`Source::named`], but refuses what only sync brings in.
    pub fn importable(context: &Context, text: &str) -> Result<Source, Failure> {
        match Source::named(context, text)? {
            Source::Remote => Err(Failure::new(Exit::Usage, format!("`{text}` is the remote"))
                .hint("`co sync` merges with it")),
            Source::Commit(_) => {
                Err(Failure::new(Exit::Usage, format!("`{text}` is a commit of this identity"))
                    .hint(format!(
                        "`co identity restore --from {text} PATH` brings files of it back"
                    )))
            }
            source => Ok(source),
        }
    }
}

pub fn read(context: &Context, source: &Source) -> Result<Incoming, Failure> {
    match source {
        Source::Archive(path) => read_archive(context, path),
        Source::Folder(path) => read_folder(context, path),
        Source::Remote | Source::Commit(_) => {
            Err(Failure::new(Exit::Usage, "a commit is not imported").hint("`co sync` merges"))
        }
    }
}

fn shown(context: &Context, path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { context.shown(path) }
}

fn refused(place: &str, why: &str) -> Failure {
    Failure::new(Exit::Refused, format!("{place} was refused: {why}; nothing was changed")).hint(
        "an export of co holds nothing of that kind; take the entry out, or ask whoever \
            made the archive",
    )
}

fn read_archive(context: &Context, path: &Path) -> Result<Incoming, Failure> {
    let place = shown(context, path);
    let unpacked = archive::open(path)?.map_err(|refusal| refused(&place, &refusal.to_string()))?;
    let manifest = unpacked.manifest.as_deref().map(manifest::read).unwrap_or_default();
    if let Some(path) = manifest.contradicted_by(&unpacked.snapshot) {
        return Err(refused(&place, &format!("{path} is not what the archive's manifest says: it is damaged, or was changed after the export"))
            .hint("to take it in all the same, unpack it and import the folder"));
    }
    Ok(Incoming { snapshot: unpacked.snapshot, manifest, warnings: Vec::new() })
}

fn read_folder(context: &Context, path: &Path) -> Result<Incoming, Failure> {
    let place = context.shown(path);
    let root = files::resolve(path);
    if root == context.identity.resolved {
        return Err(Failure::new(Exit::Usage, format!("{place} is this identity"))
            .hint("name another folder or an archive"));
    }
    let listed = folder::list(&root, "").files;
    for file in listed.iter().filter(|file| files::is_link(&file.file)) {
        if !files::resolve(&file.file).starts_with(&root) {
            return Err(refused(&place, &format!("{} is a link that leads out of it", file.path))
                .hint("copy the folder with `cp -L` and import the copy"));
        }
    }
    let reading = folder::read(&root);
    let mut incoming = Incoming {
        snapshot: Snapshot::default(),
        manifest: Manifest::default(),
        warnings: Vec::new(),
    };
    for (path, blob) in reading.snapshot.iter() {
        if path.as_str() == archive::MANIFEST {
            incoming.manifest = manifest::read(&String::from_utf8_lossy(blob));
            continue;
        }
        if portable::is_litter(path) || path.kind() == Kind::GitMeta {
            continue;
        }
        if let Some(why) = portable::refused(path) {
            return Err(refused(&place, &format!("it holds {path}: {why}")));
        }
        incoming.snapshot.put(path.clone(), blob.clone());
    }
    if let Some((path, why)) = portable::git_metadata(incoming.snapshot.paths()).first() {
        return Err(refused(&place, &format!("it holds {path}: {why}")));
    }
    let line = |finding: &crate::identity::Finding| {
        format!("{}: {}; not taken", finding.path, finding.message)
    };
    incoming.warnings.extend(reading.findings.iter().map(line));
    if let Some(path) = incoming.manifest.contradicted_by(&incoming.snapshot) {
        incoming
            .warnings
            .push(format!("{path} is not what the manifest says: it was changed after the export"));
    }
    let known = |path: &RelPath| {
        portable::TOP.contains(&path.as_str().split('/').next().unwrap_or_default())
    };
    if !incoming.snapshot.paths().any(known) {
        return Err(Failure::new(
            Exit::NotFound,
            format!(
                "{place} holds no identity: no profile.md, personality.md, traits/ or knowledge/"
            ),
        )
        .hint("name the folder that holds them"));
    }
    Ok(incoming)
}

/// The identity here, with changes made outside co.
pub struct Current {
    pub read: Snapshot,
    /// With the last commit's version of files that exist and cannot be read: they are not gone.
    pub there: Snapshot,
    /// As the next sync would commit it: edits stamped, deletions in the ledger.
    pub tidied: Snapshot,
    /// Existing files and folders (with a `/`) that cannot be read: nothing may be written there.
    pub closed: Vec<String>,
}

impl Current {
    pub fn of(context: &Context, store: &Store) -> Result<Current, Failure> {
        let reading = folder::read(&store.root);
        let tidied = super::sync::taken_up(context, &reading)?;
        let there = super::sync::as_if_readable(context, &reading)?;
        let unreadable = reading.unreadable.iter().map(ToString::to_string);
        Ok(Current {
            tidied,
            there,
            closed: reading.closed.iter().cloned().chain(unreadable).collect(),
            read: reading.snapshot,
        })
    }

    pub fn refuse_closed<'a>(
        &self,
        paths: impl Iterator<Item = &'a RelPath>,
    ) -> Result<(), Failure> {
        let closed = |path: &&RelPath| {
            self.closed.iter().any(|closed| {
                closed == path.as_str()
                    || (closed.ends_with('/') && path.as_str().starts_with(closed.as_str()))
            })
        };
        match paths.into_iter().find(closed) {
            Some(path) => Err(Failure::new(
                Exit::Refused,
                format!("{path} is there and cannot be read; nothing was changed"),
            )
            .hint("`co check` says why")),
            None => Ok(()),
        }
    }
}
