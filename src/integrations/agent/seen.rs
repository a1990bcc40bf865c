//! Last read and write time of each agent, kept on this machine.
//!
//! Invariant: in `local/`, never synced; a name and times, never what was read.

use crate::machine::tool_log;
use crate::workspace::Workspace;
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf};

/// Maximum length of a client's name, in characters.
const MAX_LEN: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Did {
    Read,
    Wrote,
}

/// What a client did here.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ClientActivity {
    /// Microseconds since its last read.
    pub read_ago: Option<i64>,
    pub wrote_ago: Option<i64>,
    /// Writes since midnight, in the person's time zone.
    pub wrote_today: u32,
}

impl ClientActivity {
    /// The activity of two clients of one agent combined.
    pub fn with(&self, other: &ClientActivity) -> ClientActivity {
        let latest = |a: Option<i64>, b: Option<i64>| a.into_iter().chain(b).min();
        ClientActivity {
            read_ago: latest(self.read_ago, other.read_ago),
            wrote_ago: latest(self.wrote_ago, other.wrote_ago),
            wrote_today: self.wrote_today + other.wrote_today,
        }
    }
}

/// A client's name as one word.
pub fn name(said: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let word: String = said.trim().to_lowercase().chars().take(MAX_LEN).collect();
    let word = word.replace(|letter| !plain(letter), "-");
    if word.is_empty() { "agent".to_owned() } else { word }
}

/// Records what the caller did; a person is not recorded.
pub fn note(ws: &Workspace, did: Did) {
    let Some(caller) = &ws.caller else { return };
    let mark = match did {
        Did::Read => "read",
        Did::Wrote => "wrote",
    };
    tool_log::note(&log(ws), &format!("{}:{mark}", caller.client), ws.now().micros());
}

/// The activity of every client, by name.
pub fn all(ws: &Workspace) -> BTreeMap<String, ClientActivity> {
    let (now, calendar) = (ws.now(), ws.calendar());
    let midnight = calendar.start_of(calendar.day(now)).unwrap_or(now).micros();
    let now = now.micros();
    let mut seen: BTreeMap<String, ClientActivity> = BTreeMap::new();
    for (entry, (last, today)) in tool_log::last_called(&log(ws), midnight) {
        let Some((client, mark)) = entry.rsplit_once(':') else { continue };
        let one = seen.entry(client.to_owned()).or_default();
        match mark {
            "read" => one.read_ago = Some(now - last),
            "wrote" => (one.wrote_ago, one.wrote_today) = (Some(now - last), today),
            _ => {}
        }
    }
    seen
}

pub fn log(ws: &Workspace) -> PathBuf {
    ws.identity_place().state.join("agents")
}
