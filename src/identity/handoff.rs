//! A hand-off: one short note of where a piece of work stands, left by a session for the next one.
//!
//! Invariant: one per project and branch, which the next one replaces; over after two weeks, like a
//! fact past its `valid_until`. Its text is foreign to whoever reads it. Must not know: the current
//! time, git.

use super::{
    calendar::Calendar,
    document::Document,
    hash::ContentHash,
    kind::HANDOFFS,
    path::RelPath,
    portable,
    project::Project,
    slug,
    stamp::Stamp,
    times::{Bound, VALID_UNTIL},
    value::Value,
};

/// How long it counts.
const DAYS: i64 = 14;
const DAY: i64 = 24 * 60 * 60 * Stamp::SECOND;
/// Maximum bytes of its text.
pub const MAX_LEN: usize = 4_000;
/// Maximum characters of a branch in the name of its file.
const MAX_NAME_LEN: usize = 60;
/// The file of a project that is in no repository, or on no branch.
const NO_BRANCH: &str = "_none";

/// What is said of the work.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// What it is for.
    pub goal: String,
    pub done: String,
    pub next: String,
    /// What is not decided.
    pub questions: String,
    /// The files that it is in.
    pub files: Vec<String>,
}

impl Work {
    /// The parts that say something, each under its heading.
    pub fn text(&self) -> String {
        let files: String = self.files.iter().map(|file| format!("- {file}\n")).collect();
        let parts = [
            ("Goal", &self.goal),
            ("Done", &self.done),
            ("Next", &self.next),
            ("Open questions", &self.questions),
            ("Files", &files),
        ];
        let said = parts.into_iter().filter(|(_, text)| !text.trim().is_empty());
        let said = said.map(|(name, text)| format!("## {name}\n\n{}\n", text.trim()));
        said.collect::<Vec<String>>().join("\n")
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Handoff {
    pub left: Stamp,
    /// The agent, by its name in the table, or `user`.
    pub by: String,
    /// The laptop.
    pub on: String,
    pub branch: Option<String>,
    pub until: Option<Bound>,
    pub text: String,
}

/// Who left it, when that was no agent.
pub const USER: &str = "user";

impl Handoff {
    /// `None` if it cannot be read, or does not say when it was left.
    pub fn read(bytes: &[u8]) -> Option<Handoff> {
        let document = Document::read(bytes).ok()?;
        let said = |key: &str| document.get(key).and_then(Value::text);
        Some(Handoff {
            left: Stamp::parse(&said("left")?)?.stamp,
            by: said("by").unwrap_or_else(|| USER.to_owned()),
            on: said("on").unwrap_or_default(),
            branch: said("branch"),
            until: Bound::read(&document, VALID_UNTIL),
            text: document.text().to_owned(),
        })
    }

    pub fn write(&self, project: &Project, calendar: &Calendar) -> String {
        let mut document = Document::new(&format!("{}\n", self.text.trim_end()));
        let until = calendar.day(self.left.plus(DAYS * DAY)).to_string();
        let keys = [
            ("left", Some(self.left.with_offset())),
            ("by", Some(self.by.clone())),
            ("on", Some(self.on.clone())),
            ("project", Some(project.shown())),
            ("branch", self.branch.clone()),
            (VALID_UNTIL, Some(until)),
        ];
        for (key, value) in keys {
            if let Some(value) = value {
                document.set(key, Value::Text(value));
            }
        }
        document.write()
    }

    /// Whether it no longer counts.
    pub fn is_over(&self, now: Stamp, calendar: &Calendar) -> bool {
        let end = self.until.map(|until| until.end(calendar));
        end.unwrap_or(self.left.plus(DAYS * DAY)) < now
    }

    /// How long ago it was left, as in `2 h ago`.
    pub fn ago(&self, now: Stamp) -> String {
        let minutes = (now.micros() - self.left.micros()) / (60 * Stamp::SECOND);
        match minutes {
            ..1 => "just now".to_owned(),
            1..60 => format!("{minutes} min ago"),
            60..2_880 => format!("{} h ago", minutes / 60),
            _ => format!("{} days ago", minutes / 1_440),
        }
    }
}

/// The folder of a project's hand-offs, with a trailing `/`.
pub fn folder(project: &Project) -> String {
    format!("{HANDOFFS}{project}/")
}

pub fn path(project: &Project, branch: Option<&str>) -> RelPath {
    let name = branch.map_or_else(|| NO_BRANCH.to_owned(), file_stem);
    RelPath::known(&format!("{}{name}.md", folder(project)))
}

/// The branch itself where every file system keeps it apart from others.
fn file_stem(branch: &str) -> String {
    let is_kept = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_.".contains(letter)
    };
    let is_plain = branch.starts_with(|first: char| first.is_ascii_alphanumeric())
        && branch.chars().all(is_kept)
        && !branch.ends_with('.')
        && branch.len() <= MAX_NAME_LEN
        && !portable::is_device(branch);
    if is_plain {
        return branch.to_owned();
    }
    let hash = ContentHash::of_bytes(branch.as_bytes()).short(8);
    format!("{}-{hash}", slug::slug(branch))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(text: &str) -> Stamp {
        Stamp::parse(text).expect("a stamp").stamp
    }

    #[test]
    fn what_is_written_is_read_again() {
        let work = Work {
            goal: "Ship it.".into(),
            next: " Tests\n".into(),
            files: vec!["src/a.rs".into(), "src/b.rs".into()],
            ..Work::default()
        };
        let project = Project::of_remote("git@github.com:bin/billing.git").expect("a project");
        let handoff = Handoff {
            left: stamp("2026-11-27T03:00:00Z"),
            by: "claude-code".into(),
            on: "atlas".into(),
            branch: Some("feature/x".into()),
            until: Bound::parse("2026-12-11"),
            text: work.text().trim().to_owned(),
        };
        let written = handoff.write(&project, &Calendar::default());
        assert_eq!(Handoff::read(written.as_bytes()), Some(handoff.clone()), "{written}");
        assert_eq!(
            handoff.text,
            "## Goal\n\nShip it.\n\n## Next\n\nTests\n\n## Files\n\n- src/a.rs\n- src/b.rs"
        );
        let calendar = Calendar::default();
        assert!(!handoff.is_over(stamp("2026-12-11T23:59:00Z"), &calendar));
        assert!(handoff.is_over(stamp("2026-12-12T00:00:00Z"), &calendar));
        for (now, ago) in [
            ("2026-11-27T03:00:20Z", "just now"),
            ("2026-11-27T02:00:00Z", "just now"),
            ("2026-11-27T03:05:00Z", "5 min ago"),
            ("2026-11-27T05:10:00Z", "2 h ago"),
            ("2026-11-30T03:00:00Z", "3 days ago"),
        ] {
            assert_eq!(handoff.ago(stamp(now)), ago);
        }
        assert_eq!(Handoff::read(b"## Goal\n\nx\n"), None);
    }

    #[test]
    fn each_branch_has_a_file_of_its_own() {
        let project = Project::of_remote("git@github.com:bin/billing.git").expect("a project");
        let branches = [
            "main",
            "Main",
            "feature/x",
            "feature-x",
            "feature x",
            "-x",
            "con",
            "v1.",
            "_none",
            "\u{e9}t\u{e9}",
            ".hidden",
        ];
        let mut names: Vec<String> = branches
            .iter()
            .map(|branch| path(&project, Some(branch)).to_string())
            .chain([path(&project, None).to_string()])
            .map(|name| name.to_lowercase())
            .collect();
        assert_eq!(names[0], "agents/handoff/github.com+bin+billing/main.md");
        assert!(names.iter().all(|name| !name.contains("/.") && !name.contains(' ')), "{names:?}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), branches.len() + 1, "{names:?}");
    }
}
