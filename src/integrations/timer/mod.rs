//! `co sync --every`: makes this laptop sync by itself, with the timer that its system has.
//!
//! Invariant: no program of co's stays running. A file that co did not write is never replaced, and
//! what was set up is removed byte for byte. What happens at each run: `turn`.

mod error;
mod interval;
mod record;
mod scheduler;
mod turn;
mod units;

pub use error::TimerError;
pub use interval::{Course, Interval};
pub use scheduler::System;
pub use turn::{Outcome, Skip, Standing, ended, skipped, standing};

use crate::agents::Command;
use crate::identity::{Blob, FileChange};
use crate::machine::{Context, files, oplog::OpVerb};
use crate::sync::{self, SyncError};
use crate::workspace::{Error, Workspace, agent_places, transaction};
use record::{Record, name};
use scheduler::Scheduler;
use serde::Serialize;
use std::path::{Path, PathBuf};
use units::Job;

/// What the log says was set up or removed.
pub const LOGGED: &str = "a timer";

/// What was set up, or removed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// `None` if this laptop does not sync by itself any more.
    pub every: Option<String>,
    /// How often, in words.
    #[serde(skip)]
    pub in_words: String,
    /// `None` if nothing was set up before.
    pub system: Option<System>,
    pub files: Vec<Written>,
    /// Commands that were run.
    pub ran: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Written {
    pub file: PathBuf,
    /// `create`, `replace`, `remove`
    pub what: &'static str,
    /// Of a file that was removed, nothing.
    pub text: String,
}

/// Makes this laptop sync by itself, or changes how often.
pub fn install(ws: &Workspace, every: Interval) -> Result<Report, Error> {
    let job = job(ws, every)?;
    let mut scheduler = Scheduler::here(ws)?;
    let before = Record::read(ws, &job.name);
    if before.as_ref().is_some_and(|record| record.system != scheduler.system) {
        remove(ws)?;
    }
    let mut record = Record::new(scheduler.system, every, &job.program, ws.now());
    let mut written = Vec::new();
    if scheduler.system == System::Cron {
        let unfit = || TimerError::NotOfCron { every: every.to_string() };
        let block = job.cron_block().ok_or_else(unfit)?;
        scheduler.add_to_crontab(&job.name, &block)?;
        written.push(Written { file: "crontab".into(), what: "add to", text: block });
    } else {
        let texts = texts(ws, scheduler.system, &job)?;
        record.files = texts.iter().map(|(file, _)| file.clone()).collect();
        let missing = folders(ws, scheduler.system, &record.files);
        let kept = before.filter(|record| record.system == scheduler.system);
        record.folders = kept.map_or(missing, |record| record.folders);
        let changes = changes(ws, scheduler.system, &texts)?;
        transaction::write_machine_files(ws, OpVerb::Install, LOGGED, &changes)?;
        if let Err(error) = scheduler.start(&job.name, record.files.last().map(PathBuf::as_path)) {
            let _ = scheduler.stop(&job.name);
            let had_one = changes.iter().any(|change| change.before.is_some());
            let back: Vec<FileChange<PathBuf>> =
                changes.into_iter().map(FileChange::reversed).collect();
            transaction::write_machine_files(ws, OpVerb::Uninstall, LOGGED, &back)?;
            scheduler.settle(&job.name);
            // The one before goes on.
            if had_one {
                let _ = scheduler.start(&job.name, record.files.last().map(PathBuf::as_path));
            }
            record.folders.iter().for_each(|folder| files::remove_empty(folder));
            return Err(error.into());
        }
        let of_change = |(change, (file, text)): (&FileChange<PathBuf>, (PathBuf, String))| {
            let what = if change.before.is_some() { "replace" } else { "create" };
            Written { file, what, text }
        };
        written.extend(changes.iter().zip(texts).map(of_change));
    }
    record.write(ws, &job.name)?;
    let (system, ran) = (Some(scheduler.system), scheduler.ran);
    let in_words = every.in_words();
    Ok(Report { every: Some(every.to_string()), in_words, system, files: written, ran })
}

/// Takes away what [`install`] set up, also where nobody remembers that it did.
pub fn remove(ws: &Workspace) -> Result<Report, Error> {
    let name = name(ws);
    let record = Record::read(ws, &name);
    let mut report =
        Report { every: None, in_words: String::new(), system: None, files: vec![], ran: vec![] };
    for system in there(ws, record.as_ref(), &name)? {
        let mut scheduler = Scheduler::of(ws, system).ok_or(TimerError::NoScheduler)?;
        if system == System::Cron {
            let was_there = scheduler.take_out_of_crontab(&name)?;
            let (file, what, text) = ("crontab".into(), "take out of", String::new());
            report.files.extend(was_there.then_some(Written { file, what, text }));
        } else {
            scheduler.stop(&name)?;
            report.files.extend(removed(ws, system, &name)?);
            scheduler.settle(&name);
        }
        report.system = Some(system);
        report.ran.extend(scheduler.ran);
    }
    record.iter().flat_map(|record| &record.folders).for_each(|folder| files::remove_empty(folder));
    Record::discard(ws, &name)?;
    turn::forget(ws);
    Ok(report)
}

/// The systems that have a timer of co's.
fn there(ws: &Workspace, record: Option<&Record>, name: &str) -> Result<Vec<System>, Error> {
    if let Some(record) = record {
        return Ok(vec![record.system]);
    }
    let mut there = Vec::new();
    for system in [System::Launchd, System::Tasks, System::Systemd, System::Cron] {
        let Some(scheduler) = Scheduler::of(ws, system) else { continue };
        let has_files = paths(ws, system, name).iter().any(|file| files::exists(file));
        let is_there = match system {
            System::Launchd | System::Systemd => has_files,
            System::Tasks => scheduler.has_task(name),
            // Not everybody may have a crontab.
            System::Cron => {
                let crontab = scheduler.crontab().ok().flatten();
                crontab.is_some_and(|text| units::is_block_of(&text, name))
            }
        };
        there.extend(is_there.then_some(system));
    }
    Ok(there)
}

/// Fails where a timer could not sync.
fn job(ws: &Workspace, every: Interval) -> Result<Job, Error> {
    if let Some(layer) = ws.own_layer() {
        return Err(TimerError::OfLayer { layer: layer.to_string() }.into());
    }
    ws.identity()?;
    let repo = sync::repository(ws)?;
    if repo.branch(&ws.settings.sync)?.remote.is_none() {
        return Err(SyncError::NoRemote.into());
    }
    let Command { program, env } = agent_places::command(ws);
    let separator = if cfg!(windows) { ';' } else { ':' };
    let path = units::search_path(ws.env("PATH").unwrap_or_default(), separator);
    let mut variables = vec![("PATH".to_owned(), path)];
    variables.extend(env);
    variables.extend(of_person(ws));
    let arguments = ["sync".to_owned(), "--timed".to_owned(), every.to_string()].to_vec();
    let home = ws.home.display().to_string();
    let job = Job { name: name(ws), every, program, arguments, variables, home };
    match job.unfit() {
        Some(text) => Err(TimerError::OddText { text: text.to_owned() }.into()),
        None => Ok(job),
    }
}

/// Variables that git needs as the person has them; and none that could ask.
fn of_person(ws: &Workspace) -> Vec<(String, String)> {
    let given = |name: &str| Some((name.to_owned(), ws.env(name)?.to_owned()));
    // A socket that is made anew at each login has another name each time.
    let is_lasting = |(_, socket): &(String, String)| {
        !["/tmp/", "/private/", "/var/folders/"].iter().any(|folder| socket.contains(folder))
    };
    let sockets = ["SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS"].into_iter().filter_map(given);
    let sockets = sockets.filter(is_lasting);
    let silent = [("GIT_ASKPASS", ""), ("SSH_ASKPASS", ""), ("SSH_ASKPASS_REQUIRE", "never")];
    let silent = silent.map(|(name, value)| (name.to_owned(), value.to_owned()));
    given("XDG_CONFIG_HOME").into_iter().chain(sockets).chain(silent).collect()
}

/// The files of a timer; the system is told of the last one.
fn paths(ws: &Workspace, system: System, name: &str) -> Vec<PathBuf> {
    match system {
        System::Launchd => {
            vec![ws.home.join("Library/LaunchAgents").join(format!("{name}.plist"))]
        }
        System::Tasks => vec![ws.config_dir.join("local").join(format!("{name}.xml"))],
        System::Systemd => {
            let named = ws.env("XDG_CONFIG_HOME").map(PathBuf::from);
            let named = named.filter(|folder| folder.is_absolute());
            let folder = named.unwrap_or_else(|| ws.home.join(".config")).join("systemd/user");
            ["service", "timer"].map(|kind| folder.join(format!("{name}.{kind}"))).to_vec()
        }
        System::Cron => Vec::new(),
    }
}

/// What is written, with the files.
fn texts(ws: &Workspace, system: System, job: &Job) -> Result<Vec<(PathBuf, String)>, TimerError> {
    let texts = match system {
        System::Launchd => vec![job.launchd_agent()],
        System::Tasks => {
            // The account's own variables are enough, but for those that only this call has.
            let lost = job.variables.iter().find(|(name, _)| name.starts_with("CO_"));
            if let Some((name, _)) = lost {
                return Err(TimerError::Variable { name: name.clone() });
            }
            vec![job.windows_task()]
        }
        System::Systemd => vec![job.systemd_service(), job.systemd_timer()],
        System::Cron => Vec::new(),
    };
    Ok(paths(ws, system, &job.name).into_iter().zip(texts).collect())
}

/// The bytes of a text: a task is read as UTF-16.
fn bytes(system: System, text: &str) -> Vec<u8> {
    if system != System::Tasks {
        return text.as_bytes().to_vec();
    }
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Fails if one of the files is there and was not written by co.
fn changes(
    ws: &Workspace,
    system: System,
    texts: &[(PathBuf, String)],
) -> Result<Vec<FileChange<PathBuf>>, Error> {
    let change = |(file, text): &(PathBuf, String)| -> Result<FileChange<PathBuf>, Error> {
        let before = ours(ws, system, file)?;
        let after = Some(Blob::from(bytes(system, text)));
        Ok(FileChange { path: files::resolve(file), before: before.map(Blob::from), after })
    };
    texts.iter().map(change).collect()
}

/// The bytes of a file that co wrote; `None` if it is not there.
fn ours(ws: &Context, system: System, file: &Path) -> Result<Option<Vec<u8>>, Error> {
    let Some(before) = files::read(file)? else { return Ok(None) };
    // Nobody else writes into `local/`.
    if system != System::Tasks && !units::is_ours(&String::from_utf8_lossy(&before)) {
        return Err(TimerError::NotOurs { file: ws.shown(file) }.into());
    }
    Ok(Some(before))
}

fn removed(ws: &Workspace, system: System, name: &str) -> Result<Vec<Written>, Error> {
    let (mut changes, mut written) = (Vec::new(), Vec::new());
    for file in paths(ws, system, name) {
        let Some(before) = ours(ws, system, &file)? else { continue };
        let before = Some(Blob::from(before));
        changes.push(FileChange { path: files::resolve(&file), before, after: None });
        written.push(Written { file, what: "remove", text: String::new() });
    }
    if !changes.is_empty() {
        transaction::write_machine_files(ws, OpVerb::Uninstall, LOGGED, &changes)?;
    }
    Ok(written)
}

/// The folders that have to be created for the files, innermost first; with the one in which
/// systemd keeps what is enabled.
fn folders(ws: &Workspace, system: System, written: &[PathBuf]) -> Vec<PathBuf> {
    let Some(file) = written.first().filter(|file| !file.starts_with(&ws.config_dir)) else {
        return Vec::new();
    };
    let enabled = file.with_file_name("timers.target.wants");
    let enabled = (system == System::Systemd && !files::exists(&enabled)).then_some(enabled);
    let above = file.ancestors().skip(1).take_while(|folder| !files::exists(folder));
    enabled.into_iter().chain(above.map(Path::to_owned)).collect()
}
