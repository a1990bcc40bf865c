//! `secret scan`: finds suspected secrets in files, in every commit, and in what undo keeps.
//!
//! Invariant: scanning changes nothing, and its report contains no secret.

use crate::git::{self, Repo};
use crate::identity::{Blob, RelPath};
use crate::machine::{files, folder};
use crate::secrets::{self, Allowed, Secret};
use crate::sync;
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, guard, layers};
use rayon::prelude::*;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A file or folder; defaults to the identity.
    pub path: Option<String>,
    /// Scan every version in every commit.
    pub history: bool,
    /// Rules of the scanner to ignore.
    pub allow: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SecretHit {
    /// Relative to the scanned folder.
    pub path: String,
    /// With `--history`, the oldest commit that contains it.
    pub commit: Option<String>,
    #[serde(flatten)]
    pub secret: Secret,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub root: PathBuf,
    /// With `--history`, counts versions of files.
    pub files: usize,
    pub secrets: Vec<SecretHit>,
    pub unreadable: Vec<String>,
    /// co's undo log, if it contains a secret: it keeps earlier contents of files.
    pub log: Option<PathBuf>,
    /// Commands that remove the secrets from all commits.
    pub removal: Vec<String>,
}

/// Why nothing was scanned.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    #[error("{path} is not a regular file")]
    NotRegular { path: String },
    #[error("{path} does not exist")]
    NoPath { path: String },
    #[error("no commit contains {path}")]
    NoHistory { path: String },
}

impl VerbError for ScanError {
    fn kind(&self) -> ErrorKind {
        match self {
            ScanError::NotRegular { .. } => ErrorKind::Invalid,
            ScanError::NoPath { .. } | ScanError::NoHistory { .. } => ErrorKind::NotFound,
        }
    }
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let allowed = guard::allowed(&request.allow)?;
    if request.history {
        return history(ws, request.path.as_deref(), &allowed);
    }
    let Some(text) = &request.path else {
        let store = ws.identity()?;
        let log = store.log();
        // Each text is judged as the file that it comes from.
        let with_secret = |file: &PathBuf| {
            let is_secret = |text: &Blob| !secrets::scan_file("", text, &allowed).is_empty();
            log.texts(file).iter().any(is_secret)
        };
        let log = log.files().into_iter().find(with_secret);
        return Ok(Report { log, ..scan_folder(store.shown.clone(), &store.root, &allowed) });
    };
    let root = ws.typed_path(text);
    layers::refuse_own(ws, &root)?;
    if files::is_dir(&root) {
        let resolved = files::resolve(&root);
        return Ok(scan_folder(root, &resolved, &allowed));
    }
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if files::exists(&root) && !files::is_file(&root) {
        return Err(ScanError::NotRegular { path: ws.shown(&root) }.into());
    }
    let bytes = files::read(&root)?;
    let (Some(bytes), Some(path)) = (bytes, RelPath::new(&name)) else {
        return Err(ScanError::NoPath { path: ws.shown(&root) }.into());
    };
    let found = of_file(&path, &bytes.into(), None, &allowed);
    Ok(Report {
        root,
        files: 1,
        secrets: found,
        unreadable: Vec::new(),
        log: None,
        removal: Vec::new(),
    })
}

fn of_file(path: &RelPath, blob: &Blob, commit: Option<&str>, allowed: &Allowed) -> Vec<SecretHit> {
    let place = |secret| SecretHit {
        path: secrets::redact(path.as_str()).into_owned(),
        commit: commit.map(str::to_owned),
        secret,
    };
    secrets::scan_file(path.as_str(), blob, allowed).into_iter().map(place).collect()
}

fn scan_folder(shown: PathBuf, root: &std::path::Path, allowed: &Allowed) -> Report {
    let folder::Listing { files: listed, findings, .. } = folder::list(root, "");
    let read: Vec<Result<Vec<SecretHit>, String>> = listed
        .par_iter()
        .map(|file| match folder::read_file(&file.path, &file.file) {
            Ok((blob, _)) => Ok(of_file(&file.path, &blob, None, allowed)),
            Err(finding) => Err(format!("{}: {}", finding.path, finding.message)),
        })
        .collect();
    let mut report = Report {
        root: shown,
        files: listed.len(),
        secrets: Vec::new(),
        unreadable: Vec::new(),
        log: None,
        removal: Vec::new(),
    };
    report
        .unreadable
        .extend(findings.iter().map(|finding| format!("{}: {}", finding.path, finding.message)));
    for file in read {
        match file {
            Ok(places) => report.secrets.extend(places),
            Err(why) => report.unreadable.push(why),
        }
    }
    report
}

/// Scans all versions of all files; a secret is listed once, with the oldest commit that has it.
fn history(ws: &Workspace, below: Option<&str>, allowed: &Allowed) -> Result<Report, Error> {
    let store = ws.identity()?;
    let repo = sync::repository(ws)?;
    let mut versions = repo.every_version()?;
    let below = below.map(|text| text.trim_start_matches("./").trim_end_matches('/'));
    versions.retain(|(_, path, _)| {
        below.is_none_or(|below| {
            path.as_str() == below || path.as_str().starts_with(&format!("{below}/"))
        })
    });
    if let (Some(below), true) = (below, versions.is_empty()) {
        return Err(ScanError::NoHistory { path: below.to_owned() }.into());
    }
    let found: Vec<SecretHit> = versions
        .par_iter()
        .flat_map_iter(|(commit, path, blob)| {
            of_file(path, blob, Some(&git::short(*commit)), allowed)
        })
        .collect();
    // A secret is also in each later version of its file; the oldest version comes first and shows
    // when it was added.
    let mut secrets: Vec<SecretHit> = Vec::new();
    for place in found {
        let same = |other: &SecretHit| {
            other.path == place.path
                && other.secret.rule == place.secret.rule
                && other.secret.excerpt == place.secret.excerpt
        };
        if !secrets.iter().any(same) {
            secrets.push(place);
        }
    }
    secrets.sort_by(|a, b| (&a.path, a.secret.line).cmp(&(&b.path, b.secret.line)));
    let removal = removal(&repo, &secrets);
    Ok(Report {
        root: store.shown.clone(),
        files: versions.len(),
        secrets,
        unreadable: Vec::new(),
        log: None,
        removal,
    })
}

/// The steps to rewrite history. co never does this itself: it forces nothing.
fn removal(repo: &Repo, secrets: &[SecretHit]) -> Vec<String> {
    if secrets.is_empty() {
        return Vec::new();
    }
    let mut paths: Vec<&str> = secrets.iter().map(|place| place.path.as_str()).collect();
    paths.dedup();
    let named: Vec<String> = paths
        .iter()
        .take(10)
        .map(|path| {
            format!("--path {}", crate::identity::shell::quoted(&format!("{}{path}", repo.prefix)))
        })
        .collect();
    let root = crate::identity::shell::quoted(&repo.root.display().to_string());
    let more = if paths.len() > named.len() {
        format!(" (and --path for {} more files)", paths.len() - named.len())
    } else {
        String::new()
    };
    let again = if repo.prefix.is_empty() {
        "`co init URL` into a fresh folder"
    } else {
        "a fresh clone of the repository"
    };
    vec![
        "revoke each of them where it was issued: anyone with a clone already has it".into(),
        "sync everything you want to keep, on every laptop, and copy the repository's folder: the \
         next steps rewrite all commits"
            .into(),
        format!(
            "EITHER, to keep the files: write the texts to replace into FILE outside the \
             repository, one per line as `literal:THE SECRET==>{{{{secret:NAME}}}}`, then\n\
             git -C {root} filter-repo --force --replace-text FILE; rm FILE; co check --fix"
        ),
        format!(
            "OR, if the whole files can be deleted:\ngit -C {root} filter-repo --force \
             --invert-paths {}{more}",
            named.join(" ")
        ),
        format!(
            "git -C {root} remote add origin URL; git -C {root} push --force --all; on every \
            other laptop {again}"
        ),
    ]
}
