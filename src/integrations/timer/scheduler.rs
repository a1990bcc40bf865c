//! The programs that run timers on this system: which one is available, and how to drive it. For
//! cron, also the edits of its block in the crontab.
//!
//! Invariant: none of them may ask or wait for ever; every other byte of the crontab stays. Must
//! not know what a timer starts.

use super::{TimerError, units};
use crate::identity::shell;
use crate::machine::{
    Context, platform,
    process::{End, Process, plain},
    program,
};
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

const PATIENCE: Duration = Duration::from_secs(20);

/// What starts something again and again here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum System {
    Launchd,
    /// The Task Scheduler of Windows.
    Tasks,
    /// The user's own systemd.
    Systemd,
    Cron,
}

/// In this order: only one system has the first, and only one the second.
const ALL: [System; 4] = [System::Launchd, System::Tasks, System::Systemd, System::Cron];

impl System {
    /// For the screen: "through …".
    pub fn in_words(self) -> &'static str {
        match self {
            System::Launchd => "launchd",
            System::Tasks => "Task Scheduler",
            System::Systemd => "systemd",
            System::Cron => "cron",
        }
    }

    fn program(self) -> &'static str {
        match self {
            System::Launchd => "launchctl",
            System::Tasks => "schtasks",
            System::Systemd => "systemctl",
            System::Cron => "crontab",
        }
    }
}

/// The system's own timers, and the commands that were run.
pub struct Scheduler<'a> {
    context: &'a Context,
    pub system: System,
    program: PathBuf,
    pub ran: Vec<String>,
}

impl<'a> Scheduler<'a> {
    /// The first that this system has and that answers.
    pub fn here(context: &'a Context) -> Result<Scheduler<'a>, TimerError> {
        let mut there = ALL.into_iter().filter_map(|system| Scheduler::of(context, system));
        there.find(Scheduler::answers).ok_or(TimerError::NoScheduler)
    }

    /// `None` if its program is not on the PATH.
    pub fn of(context: &'a Context, system: System) -> Option<Scheduler<'a>> {
        let program = program::find(system.program(), context.env("PATH")?)?;
        Some(Scheduler { context, system, program, ran: Vec::new() })
    }

    /// In a container, or without a session, systemd has a program and nobody behind it.
    fn answers(&self) -> bool {
        self.system != System::Systemd
            || self.asked(&["--user", "show", "--property=Version"]).is_ok()
    }

    /// Makes the system read what was written for it, and begin.
    pub fn start(&mut self, name: &str, file: Option<&Path>) -> Result<(), TimerError> {
        let file = file.map(|file| file.display().to_string()).unwrap_or_default();
        match self.system {
            System::Launchd => {
                // One that runs already keeps what it was told.
                let _ = self.asked(&["bootout", &self.launchd_name(name)]);
                self.run(&["bootstrap", &launchd_session(), &file])
            }
            System::Tasks => self.run(&["/Create", "/F", "/TN", name, "/XML", &file]),
            System::Systemd => {
                let timer = format!("{name}.timer");
                self.run(&["--user", "daemon-reload"])?;
                self.run(&["--user", "enable", &timer])?;
                self.run(&["--user", "restart", &timer])
            }
            System::Cron => Ok(()),
        }
    }

    /// Makes the system forget it, before its files are removed.
    pub fn stop(&mut self, name: &str) -> Result<(), TimerError> {
        match self.system {
            // Whoever unloaded it did the same.
            System::Launchd if self.asked(&["print", &self.launchd_name(name)]).is_err() => Ok(()),
            System::Launchd => self.run(&["bootout", &self.launchd_name(name)]),
            System::Tasks if self.has_task(name) => self.run(&["/Delete", "/F", "/TN", name]),
            System::Systemd => self.run(&["--user", "disable", "--now", &format!("{name}.timer")]),
            System::Tasks | System::Cron => Ok(()),
        }
    }

    /// After its files were removed.
    pub fn settle(&mut self, name: &str) {
        if self.system == System::Systemd {
            let _ = self.run(&["--user", "daemon-reload"]);
            let service = format!("{name}.service");
            // It is only there if a run failed.
            let _ = self.asked(&["--user", "reset-failed", &service]);
        }
    }

    pub fn has_task(&self, name: &str) -> bool {
        self.asked(&["/Query", "/TN", name]).is_ok()
    }

    /// The crontab, with a letter for each byte; `None` if there is none.
    pub fn crontab(&self) -> Result<Option<String>, TimerError> {
        match self.printed(&["-l"], None) {
            Ok(bytes) => Ok(Some(letters(&bytes))),
            Err(TimerError::Program { said, .. }) if is_no_crontab(&said) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Puts a block into the crontab, in place of the one that it has.
    pub fn add_to_crontab(&mut self, name: &str, block: &str) -> Result<(), TimerError> {
        let before = self.crontab()?.unwrap_or_default();
        if shell::has_block(&before) && !units::is_block_of(&before, name) {
            return Err(TimerError::NotOurs { file: "the block of co in the crontab".to_owned() });
        }
        let after = shell::with_block(&before, &letters(block.as_bytes()));
        if after == before { Ok(()) } else { self.write_crontab(&after) }
    }

    /// Takes the block out again; `false` if there was none.
    pub fn take_out_of_crontab(&mut self, name: &str) -> Result<bool, TimerError> {
        let before = self.crontab()?.unwrap_or_default();
        if !units::is_block_of(&before, name) {
            return Ok(false);
        }
        let after = shell::without_block(&before);
        if after.is_empty() {
            self.run(&["-r"])?;
        } else {
            self.write_crontab(&after)?;
        }
        Ok(true)
    }

    fn write_crontab(&mut self, letters: &str) -> Result<(), TimerError> {
        self.ran.push("crontab -".to_owned());
        self.printed(&["-"], Some(bytes(letters))).map(drop)
    }

    fn launchd_name(&self, name: &str) -> String {
        format!("{}/{name}", launchd_session())
    }

    fn run(&mut self, words: &[&str]) -> Result<(), TimerError> {
        self.ran.push(self.typed(words));
        self.asked(words).map(drop)
    }

    /// As a person would type it.
    fn typed(&self, words: &[&str]) -> String {
        let is_bare = |word: &str| {
            word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./=~".contains(letter))
        };
        let word = |word: &&str| {
            let word = self.context.shown(Path::new(word));
            if is_bare(&word) { word } else { shell::quoted(&word) }
        };
        let words: Vec<String> = words.iter().map(word).collect();
        format!("{} {}", self.system.program(), words.join(" "))
    }

    /// What it prints, as text.
    fn asked(&self, words: &[&str]) -> Result<String, TimerError> {
        self.printed(words, None).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What it prints.
    fn printed(&self, words: &[&str], input: Option<Vec<u8>>) -> Result<Vec<u8>, TimerError> {
        let failed = |said: String| TimerError::Program { command: self.typed(words), said };
        let mut process = Process::new(&self.program);
        process.args(words).own_group().deadline(PATIENCE).env("LC_ALL", "C");
        if let Some(bytes) = input {
            process.input(bytes);
        }
        let finished = process.run().map_err(|error| failed(error.to_string()))?;
        if finished.end.is_success() {
            return Ok(finished.stdout);
        }
        if !matches!(finished.end, End::Exited(_)) {
            return Err(failed(format!("no answer in {} s", PATIENCE.as_secs())));
        }
        let both = [finished.stderr, finished.stdout].concat();
        let said = plain(&String::from_utf8_lossy(&both));
        let line = said.lines().map(str::trim).find(|line| !line.is_empty());
        Err(failed(line.unwrap_or("it says nothing").to_owned()))
    }
}

/// The session of this account, as launchd names it.
fn launchd_session() -> String {
    format!("gui/{}", platform::account().unwrap_or_default())
}

/// A letter for each byte: a crontab may be in any encoding, and every byte of it stays.
fn letters(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// The bytes that these letters stand for.
fn bytes(letters: &str) -> Vec<u8> {
    letters.chars().filter_map(|letter| u8::try_from(letter).ok()).collect()
}

/// Of the several programs of that name.
fn is_no_crontab(said: &str) -> bool {
    let said = said.to_lowercase();
    said.contains("no crontab") || said.contains("no such file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_crontab_stays() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        assert_eq!(bytes(&letters(&all)), all);
        assert_eq!(bytes(&letters("ü — 日".as_bytes())), "ü — 日".as_bytes());
    }
}
