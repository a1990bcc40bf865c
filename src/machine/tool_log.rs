//! Log of tool calls (name and time) in `local/`; never synced.
//!
//! Invariant: appended to; names only, never the arguments of a call. A damaged or unwritable log
//! loses only the counts. Bounded: when it gets too long, the older half is dropped.

use super::files;
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    path::Path,
};

/// Maximum bytes before the older half is dropped.
const MAX: usize = 512 * 1024;
/// Maximum bytes of a name.
const MAX_LEN: usize = 128;

/// Records a call. `now` is in microseconds since 1970.
pub fn note(file: &Path, tool: &str, now: i64) {
    let is_name = !tool.is_empty() && tool.len() <= MAX_LEN && !tool.contains(char::is_whitespace);
    if !is_name || tool.chars().any(char::is_control) {
        return;
    }
    files::append_to_bounded(file, format!("{now} {tool}\n").as_bytes(), MAX, |all, at| {
        memchr::memchr(b'\n', &all[at..]).map_or(all.len(), |end| at + end + 1)
    });
}

/// The tools called most often since then, most often first, with their counts.
pub fn most_called(file: &Path, since: i64, limit: usize) -> Vec<(String, u32)> {
    let all = files::read(file).ok().flatten().unwrap_or_default();
    let all = text_of(&all);
    // Hot: each context asks, and the names are few.
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for line in all.lines() {
        let Some((at, tool)) = line.split_once(' ') else { continue };
        if at.parse::<i64>().is_ok_and(|at| at >= since) {
            *counts.entry(tool).or_default() += 1;
        }
    }
    let mut counts: Vec<(String, u32)> =
        counts.into_iter().map(|(tool, count)| (tool.to_owned(), count)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts.truncate(limit);
    counts
}

/// When each tool was last called, in microseconds since 1970, and how often since then.
pub fn last_called(file: &Path, since: i64) -> HashMap<String, (i64, u32)> {
    let all = files::read(file).ok().flatten().unwrap_or_default();
    let all = text_of(&all);
    let mut last: HashMap<String, (i64, u32)> = HashMap::new();
    for line in all.lines() {
        let Some((at, tool)) = line.split_once(' ') else { continue };
        let Ok(at) = at.parse::<i64>() else { continue };
        let (latest, count) = last.entry(tool.to_owned()).or_default();
        *latest = at.max(*latest);
        *count += u32::from(at >= since);
    }
    last
}

fn text_of(all: &[u8]) -> Cow<'_, str> {
    str::from_utf8(all).map_or_else(|_| String::from_utf8_lossy(all), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_since_then_and_never_too_many() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("calls");
        assert!(most_called(&file, 0, 9).is_empty());
        for (at, tool) in ["docker", "git", "git", "two words", "", "a\u{1b}b"].iter().enumerate() {
            note(&file, tool, at as i64);
        }
        assert_eq!(most_called(&file, 0, 9), [("git".to_owned(), 2), ("docker".to_owned(), 1)]);
        assert_eq!(most_called(&file, 2, 1), [("git".to_owned(), 1)]);
        files::append(&file, b"no number\nhalf").expect("appended");
        for at in 0..20_000 {
            note(&file, "a-tool-with-a-rather-long-name", at);
        }
        assert!(files::size(&file) <= MAX);
        assert!(most_called(&file, 0, 1)[0].1 > 5_000);
        note(Path::new("/dev/null/x"), "git", 1);
    }
}
