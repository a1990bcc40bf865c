//! Checks the settings, folder, keyring and clock of this laptop.

use super::check::{Area, Check, Remedy};
use crate::identity::{Severity, cloud, kind::MEMORIES, shell};
use crate::integrations::secret;
use crate::machine::{
    Context,
    cloud::service_of,
    files,
    folder::{self, Listing},
    keyring::{self, KeyringError},
    owners,
    seal_keys::KeySource,
    secret::listed,
    settings::{Concern, Fault},
    zone,
};
use crate::transfer::seal::keys;
use crate::upkeep::check;
use crate::workspace::{Workspace, recognise};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

pub(super) fn settings(context: &Context) -> Vec<Check> {
    let file = context.shown(&context.settings_file());
    let faults = &context.settings.faults;
    if faults.is_empty() {
        let count = context.settings.named.len();
        let message = match count {
            0 => "all settings are at their defaults".to_owned(),
            1 => format!("1 setting in {file}"),
            count => format!("{count} settings in {file}"),
        };
        return vec![Check::ok(Area::Settings, message)];
    }
    let check = |fault: &Fault| {
        let line = fault.line.map_or_else(String::new, |line| format!(", line {line}"));
        let message = format!("{file}{line}: {}", fault.message);
        match (fault.concern, fault.line) {
            (Concern::Nothing, _) => {
                Check::warning(Area::Settings, message, Remedy::command("co config"))
            }
            (_, Some(_)) => {
                Check::error(Area::Settings, message, Remedy::sentence("correct that line"))
            }
            (_, None) => Check::error(
                Area::Settings,
                fault.message.clone(),
                Remedy::sentence("check that file's permissions"),
            ),
        }
    };
    faults.iter().map(check).collect()
}

pub(super) fn folder(ws: &Workspace) -> Vec<Check> {
    let identity = &ws.identity.resolved;
    let shown = ws.shown(&ws.identity.path);
    if files::is_link(&ws.identity.path) && !files::is_there(&ws.identity.path) {
        let target = files::link_target(&ws.identity.path).unwrap_or_default();
        let message = format!("{shown} is a link to {}, which does not exist", target.display());
        let mend = Remedy::sentence("mount that disk, or fix the link");
        return vec![Check::error(Area::Folder, message, mend)];
    }
    if !files::exists(identity) {
        let mend = Remedy::sentence("`co init`, or `co init URL` if you have one already");
        return vec![Check::error(Area::Folder, format!("no identity in {shown}"), mend)];
    }
    if !files::is_dir(identity) {
        let message = format!("{shown} is not a folder");
        let mend = Remedy::sentence("move that file away, then `co init`");
        return vec![Check::error(Area::Folder, message, mend)];
    }
    if let Err(error) = recognise::refuse_folder(ws, identity) {
        return vec![Check::failed(Area::Folder, error, "co config set identity_path FOLDER")];
    }
    let listing = folder::list(identity, "");
    let mut checks = inaccessible(ws, &listing.files);
    checks.extend(not_downloaded(&listing));
    let in_cloud = service_of(identity);
    if let (Some(service), Ok(Some(repo))) = (in_cloud, ws.repo()) {
        let message = format!(
            "{} is a git repository in a folder that {service} syncs; sooner or later it will be \
             damaged",
            ws.shown(&repo.root)
        );
        checks.push(Check::warning(Area::Folder, message, Remedy::command("co identity move DIR")));
    }
    if checks.is_empty() {
        let files = listing.files.len();
        let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
        checks.push(Check::ok(Area::Folder, format!("{shown}, {files}")));
    }
    checks
}

/// Folders that cannot be written or belong to another user, and files that cannot be read.
fn inaccessible(ws: &Workspace, listed: &[folder::Listed]) -> Vec<Check> {
    let within = listed.iter().filter_map(|listed| listed.file.parent());
    let mut folders: BTreeSet<PathBuf> = within.map(Path::to_owned).collect();
    let local = ws.config_dir.join("local");
    folders.extend([ws.identity.resolved.clone(), ws.config_dir.clone()]);
    folders.extend([ws.identity.resolved.join(MEMORIES), local.clone()]);
    let repo = ws.repo().ok().flatten();
    let git_dir = repo.map(|repo| repo.git_dir().to_owned());
    folders.extend(git_dir.clone());
    let mut checks = Vec::new();
    if files::is_file(&local) {
        let message = format!(
            "{} is a file, but undo history and the search index are kept there",
            ws.shown(&local)
        );
        let mend = Remedy::sentence("move that file away");
        checks.push(Check::error(Area::Folder, message, mend));
    }
    checks.extend(foreign(ws, git_dir.as_deref()));
    for folder in folders.iter().filter(|folder| files::is_dir(folder)) {
        if !files::is_of_another(folder) && !files::can_be_written(folder) {
            let message = format!("{} cannot be written", ws.shown(folder));
            let mend = Remedy::command(format!("chmod u+rwx {}", typed(folder)));
            checks.push(Check::error(Area::Folder, message, mend));
        }
    }
    // co appends to its logs; everything else is replaced.
    if let Some(found) = owners::unwritable(&local).filter(|found| files::is_file(&found.first)) {
        let message = format!("{} cannot be written", counted(ws, &found));
        let mend = Remedy::command(format!("chmod -R u+rwX {}", typed(&local)));
        checks.push(Check::error(Area::Folder, message, mend));
    }
    let is_closed = |listed: &&folder::Listed| !files::can_be_read(&listed.file);
    if let Some(first) = listed.iter().find(is_closed) {
        let count = listed.iter().filter(is_closed).count();
        let message = match count {
            1 => format!("{} cannot be read", first.path),
            2 => format!("{} and 1 more file cannot be read", first.path),
            count => format!("{} and {} more files cannot be read", first.path, count - 1),
        };
        let mend = format!("chmod -R u+rwX {}", typed(&ws.identity.resolved));
        checks.push(Check::error(Area::Folder, message, Remedy::command(mend)));
    }
    checks
}

/// What belongs to another user, such as root after a `sudo co`: the settings, the identity, the
/// caches with the log, and the repository.
fn foreign(context: &Context, git_dir: Option<&Path>) -> Vec<Check> {
    let identity = context.identity.resolved.as_path();
    let places = [Some(context.config_dir.as_path()), Some(identity), git_dir];
    let mut roots: Vec<&Path> = Vec::new();
    for place in places.into_iter().flatten() {
        if !roots.iter().any(|root| place.starts_with(root)) {
            roots.push(place);
        }
    }
    let check = |root: &Path| {
        let found = owners::of_others(root)?;
        let belong = if found.count == 1 { "belongs" } else { "belong" };
        let message = format!("{} {belong} to another user", counted(context, &found));
        let mend = Remedy::command(format!("sudo chown -R \"$(id -un)\" {}", typed(root)));
        Some(Check::error(Area::Folder, message, mend))
    };
    roots.into_iter().filter_map(check).collect()
}

fn counted(context: &Context, found: &owners::FoundFiles) -> String {
    let first = context.shown(&found.first);
    match found.count {
        1 => first,
        2 => format!("{first} and 1 more file"),
        count => format!("{first} and {} more files", count - 1),
    }
}

/// The first problem that `co check` finds in the files.
pub(super) fn files(ws: &Workspace) -> Vec<Check> {
    let store = ws.identity_place();
    let found = check::findings(ws, store).unwrap_or_default();
    let errors = found.iter().filter(|finding| finding.severity == Severity::Error);
    let Some(first) = errors.clone().next() else { return Vec::new() };
    let more = match errors.count() {
        1 => String::new(),
        count => format!(", and {} more", count - 1),
    };
    let message = format!("{}: {}{more}", first.path, first.message);
    vec![Check::error(Area::Files, message, Remedy::command("co check"))]
}

/// A path quoted for a shell.
pub(super) fn typed(path: &Path) -> String {
    shell::quoted(&path.display().to_string())
}

/// Files that a cloud service has removed from the disk.
fn not_downloaded(listing: &Listing) -> Option<Check> {
    let evicted =
        listing.files.iter().filter(|listed| cloud::evicted(&listed.path).is_some()).count();
    (evicted > 0).then(|| {
        let message = match evicted {
            1 => "1 file has not been downloaded".to_owned(),
            count => format!("{count} files have not been downloaded"),
        };
        let mend = "set the cloud service to keep the folder on this laptop";
        Check::warning(Area::Folder, message, Remedy::sentence(mend))
    })
}

pub(super) fn keyring(ws: &Workspace) -> Vec<Check> {
    let needed = secret::needed_by_files(ws);
    let stored = match listed(ws) {
        Ok(entries) => entries.into_iter().map(|entry| entry.name).collect::<Vec<String>>(),
        Err(error) => return vec![closed(&error, !needed.is_empty() || keeps_a_key(ws))],
    };
    let available = match stored.len() {
        0 => "available; no secrets stored by co".to_owned(),
        1 => "available; 1 secret stored by co".to_owned(),
        count => format!("available; {count} secrets stored by co"),
    };
    let missing = |name: &String| {
        let message = format!("the secret `{name}` is missing on this laptop");
        Check::warning(Area::Keyring, message, Remedy::command(format!("co secret set {name}")))
    };
    let missing = needed.iter().filter(|name| !stored.contains(name)).map(missing);
    [Check::ok(Area::Keyring, available)].into_iter().chain(missing).collect()
}

/// Whether the key of a sealed remote has to be in the keyring.
fn keeps_a_key(ws: &Workspace) -> bool {
    KeySource::of(ws).given().is_none() && keys::url(ws).is_ok()
}

/// Without secrets and keys, an unavailable keyring is not a problem.
fn closed(error: &KeyringError, is_needed: bool) -> Check {
    let message = error.to_string();
    if !is_needed {
        return Check::ok(Area::Keyring, format!("{message}; nothing here needs one"));
    }
    let hint = error.advice(keyring::KEEPER).first().copied();
    Check::warning(Area::Keyring, message, Remedy::sentence(hint.unwrap_or("`co help secrets`")))
}

/// The first day of 2025, in microseconds: no identity is older.
const FIRST: i64 = 1_735_689_600_000_000;
/// How far ahead of this laptop's clock a commit may be.
const AHEAD: i64 = 5 * 60 * 1_000_000;

pub(super) fn clock(ws: &Workspace) -> Vec<Check> {
    let now = ws.now();
    let mend = Remedy::sentence("set the clock; facts are ordered by time");
    if now.micros() < FIRST {
        return vec![Check::error(Area::Clock, format!("the clock says {now}"), mend)];
    }
    let repo = ws.repo().ok().flatten();
    let last = repo.and_then(|repo| repo.last_commit_time());
    match last.map(|last| last - now.micros()).filter(|ahead| *ahead > AHEAD) {
        Some(ahead) => {
            let minutes = ahead / 60_000_000;
            let far = match minutes / 60 / 24 {
                0 => format!("{minutes} minutes"),
                days => format!("{days} days"),
            };
            let message = format!("the last commit is {far} ahead of this laptop's clock");
            vec![Check::warning(Area::Clock, message, mend)]
        }
        None => vec![Check::ok(Area::Clock, format!("{now}; {}", days_of(ws)))],
    }
}

fn days_of(context: &Context) -> String {
    let zone = context.calendar().zone_name().unwrap_or("this laptop's time zone");
    format!("days begin at midnight in {zone}")
}

/// A profile that names a time zone which nobody knows.
pub(super) fn zone(context: &Context) -> Option<Check> {
    let named = zone::in_profile(&context.identity.resolved)?;
    let mend = Remedy::sentence("write it in profile.md as e.g. Europe/Berlin");
    let message = format!("profile.md names an unknown time zone, `{named}`");
    let message = format!("{message}; {}", days_of(context));
    (!zone::is_known(&named)).then(|| Check::warning(Area::Clock, message, mend))
}
