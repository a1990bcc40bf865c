//! Settings, folder, keyring and clock of this laptop.

use super::{Area, Check};
use crate::identity::cloud;
use crate::ops::{recognise, secret};
use crate::system::{
    Context,
    cloud::service_of,
    files,
    folder::{self, Listing},
    git::Repo,
    keyring::{self, KeyringError},
};

pub(super) fn settings(context: &Context) -> Vec<Check> {
    let file = context.shown(&context.settings_file());
    let faults = &context.settings.faults;
    if faults.is_empty() {
        let count = context.settings.named.len();
        let message = match count {
            0 => "all are the defaults".to_owned(),
            count => format!("{file}; keys set there: {count}"),
        };
        return vec![Check::ok(Area::Settings, message)];
    }
    let check = |fault: &crate::system::settings::Fault| {
        let line = fault.line.map_or_else(String::new, |line| format!(", line {line}"));
        let message = format!("{file}{line}: {}", fault.message);
        match fault.is_unknown {
            true => Check::warning(Area::Settings, message, "co config"),
            false => Check::error(Area::Settings, message, "correct that line"),
        }
    };
    faults.iter().map(check).collect()
}

pub(super) fn folder(context: &Context) -> Vec<Check> {
    let identity = &context.identity.resolved;
    let shown = context.shown(&context.identity.path);
    if files::is_link(&context.identity.path) && !files::is_there(&context.identity.path) {
        let target = files::link_target(&context.identity.path).unwrap_or_default();
        let message = format!("{shown} is a link to {}, which is not there", target.display());
        return vec![Check::error(Area::Folder, message, "mount that disk, or mend the link")];
    }
    if !files::exists(identity) {
        let hint = "`co init`, or `co init URL` where you have one already";
        return vec![Check::error(Area::Folder, format!("no identity in {shown}"), hint)];
    }
    if !files::is_dir(identity) {
        let message = format!("{shown} is not a folder");
        return vec![Check::error(Area::Folder, message, "move that file away, then `co init`")];
    }
    if let Err(failure) = recognise::refuse_folder(context, identity) {
        let hint = failure.hints.first().cloned();
        let hint = hint.unwrap_or_else(|| "co config set identity_path FOLDER".to_owned());
        return vec![Check::error(Area::Folder, failure.message, hint)];
    }
    let mut checks = closed(context);
    let listing = folder::list(identity, "");
    checks.extend(not_downloaded(&listing));
    let in_cloud = service_of(identity);
    if let (Some(service), Ok(Some(repo))) = (in_cloud, Repo::discover(context)) {
        let message = format!(
            "{} is a git repository in a folder that {service} syncs; it will be damaged sooner or \
             later",
            context.shown(&repo.root)
        );
        checks.push(Check::warning(Area::Folder, message, "co identity move DIR"));
    }
    if checks.is_empty() {
        let files = listing.files.len();
        checks.push(Check::ok(Area::Folder, format!("{shown}; files in it: {files}")));
    }
    checks
}

/// Folders and files that cannot be written, and those that belong to somebody else.
fn closed(context: &Context) -> Vec<Check> {
    let folders = [context.identity.resolved.clone(), context.config_dir.clone()];
    let mut checks = Vec::new();
    for folder in folders.iter().filter(|folder| files::is_dir(folder)) {
        let shown = context.shown(folder);
        if files::is_of_another(folder) {
            let message = format!("{shown} belongs to another user");
            let hint = format!("sudo chown -R \"$(id -un)\" {shown}");
            checks.push(Check::error(Area::Folder, message, hint));
        } else if !files::can_be_written(folder) {
            let message = format!("{shown} cannot be written");
            checks.push(Check::error(Area::Folder, message, format!("chmod u+rwx {shown}")));
        }
    }
    let is_closed = |listed: &&folder::Listed| !files::can_be_read(&listed.file);
    let listed = folder::list(&context.identity.resolved, "").files;
    if let Some(first) = listed.iter().find(is_closed) {
        let count = listed.iter().filter(is_closed).count();
        let message = match count {
            1 => format!("{} cannot be read", first.path),
            count => format!("{} and {} more files cannot be read", first.path, count - 1),
        };
        let hint = format!("chmod -R u+rwX {}", context.shown(&context.identity.path));
        checks.push(Check::error(Area::Folder, message, hint));
    }
    checks
}

/// Files that a cloud service took away from the disk.
fn not_downloaded(listing: &Listing) -> Option<Check> {
    let evicted =
        listing.files.iter().filter(|listed| cloud::evicted(&listed.path).is_some()).count();
    (evicted > 0).then(|| {
        let message = format!("{evicted} files are in the cloud only");
        Check::warning(Area::Folder, message, "keep the folder on this laptop (download it)")
    })
}

pub(super) fn keyring(context: &Context) -> Vec<Check> {
    let lacking = secret::lacking(context);
    let (needs, checks) = match keyring::list() {
        Ok(entries) => {
            let count = entries.len();
            (
                false,
                vec![Check::ok(Area::Keyring, format!("answers; secrets of co in it: {count}"))],
            )
        }
        Err(error) => (true, vec![closed_keyring(&error, secret::is_needed(context))]),
    };
    let missing = |name: &String| {
        let message = format!("the secret `{name}` is missing on this laptop");
        Check::warning(Area::Keyring, message, format!("co secret set {name}"))
    };
    let missing: Vec<Check> =
        if needs { Vec::new() } else { lacking.iter().map(missing).collect() };
    checks.into_iter().chain(missing).collect()
}

/// Without a secret to keep, a keyring is not missed.
fn closed_keyring(error: &KeyringError, is_needed: bool) -> Check {
    let message = error.to_string();
    match (is_needed, error) {
        (false, _) => Check::ok(Area::Keyring, format!("{message}; nothing here needs it")),
        (true, error) => {
            let hint = secret::hints(error, keyring::KEEPER).first().copied();
            Check::warning(Area::Keyring, message, hint.unwrap_or("co help secrets"))
        }
    }
}

/// The first day of 2025, in microseconds: before it there was no identity.
const FIRST: i64 = 1_735_689_600_000_000;
/// How far ahead of this laptop's clock a commit may be.
const AHEAD: i64 = 5 * 60 * 1_000_000;

pub(super) fn clock(context: &Context) -> Vec<Check> {
    let now = context.now();
    let hint = "set the time; facts are ordered by it";
    if now.micros() < FIRST {
        return vec![Check::error(Area::Clock, format!("the clock says {now}"), hint)];
    }
    let repo = Repo::discover(context).ok().flatten();
    let last = repo.and_then(|repo| repo.last_commit_time());
    match last.map(|last| last - now.micros()).filter(|ahead| *ahead > AHEAD) {
        Some(ahead) => {
            let minutes = ahead / 60_000_000;
            let message = format!("the last commit is {minutes} minutes ahead of the clock");
            vec![Check::warning(Area::Clock, message, hint)]
        }
        None => vec![Check::ok(Area::Clock, now.to_string())],
    }
}
