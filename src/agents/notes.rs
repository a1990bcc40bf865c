//! Where an agent keeps its own notes about projects, and how its index refers to them.
//!
//! Invariant: pure; a folder's name is formed as the agent's program forms it. Source: Claude Code
//! 2.1, whose folders were compared with these.

use super::EnvPath;
use crate::identity::{RelPath, note::Note};

/// What an agent writes down on its own, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writes {
    /// Notes about each project, if co can sync them between laptops.
    pub notes: Option<NotesPlace>,
    /// Folders of what a person told it to remember, one file each.
    pub told: &'static [EnvPath],
}

impl Writes {
    pub const NOTHING: Writes = Writes { notes: None, told: &[] };
}

const fn claudes(otherwise: &'static str, path: &'static str) -> EnvPath {
    EnvPath { variable: Some("CLAUDE_CONFIG_DIR"), otherwise, path }
}

pub const CLAUDES: Writes = Writes {
    notes: Some(NotesPlace {
        projects: claudes("~/.claude", "projects"),
        folder: "memory",
        lock: ".consolidate-lock",
        settings: claudes("~/.claude", "settings.json"),
        one_folder: "autoMemoryDirectory",
        of_project: ProjectSettings {
            files: &[".claude/settings.json", ".claude/settings.local.json"],
            trusted: claudes("~", ".claude.json"),
            projects: "projects",
            is_trusted: "hasTrustDialogAccepted",
        },
        name_variable: "CLAUDE_CODE_PROJECT_DIR_NAME",
        index: IndexLimit { lines: 200, bytes: 25_000 },
        subagents: &[
            SubagentNotes {
                kept: "claude-code+agents",
                place: SubagentPlace::Person(claudes("~/.claude", "agent-memory")),
            },
            SubagentNotes {
                kept: "claude-code+agents",
                place: SubagentPlace::Project(".claude/agent-memory"),
            },
            SubagentNotes {
                kept: "claude-code+local-agents",
                place: SubagentPlace::Project(".claude/agent-memory-local"),
            },
        ],
    }),
    told: &[],
};

const fn codexs(path: &'static str) -> EnvPath {
    EnvPath { variable: Some("CODEX_HOME"), otherwise: "~/.codex", path }
}

/// It has one folder or the other, depending on its version.
pub(super) const CODEXS: Writes = Writes {
    notes: None,
    told: &[
        codexs("memories/extensions/ad_hoc/notes"),
        codexs("memories_v2/extensions/ad_hoc/notes"),
    ],
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotesPlace {
    /// Contains a folder per project, named after the path of its work tree.
    pub projects: EnvPath,
    /// The notes folder inside a project's folder.
    pub folder: &'static str,
    /// Contains the number of the process that rewrites the notes.
    pub lock: &'static str,
    /// The person's settings, and the key in them that sets one folder for all projects.
    pub settings: EnvPath,
    pub one_folder: &'static str,
    /// The settings of a project, in which the same key sets a folder for that project.
    pub of_project: ProjectSettings,
    /// The environment variable that names the folder of the session's project. Source: Claude Code
    /// 2.1.332, which looks at it only beside the variable of `projects`.
    pub name_variable: &'static str,
    /// How much of its index the agent reads.
    pub index: IndexLimit,
    /// Where the agents that it starts keep notes of their own, in a folder each.
    pub subagents: &'static [SubagentNotes],
}

/// Settings of a project, which others may have written: they count where the person trusts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProjectSettings {
    /// Below the work tree; the last one counts.
    pub files: &'static [&'static str],
    /// The agent's own record of trust: by path below `projects`, the key `is_trusted`.
    pub trusted: EnvPath,
    pub projects: &'static str,
    pub is_trusted: &'static str,
}

/// How much of an index an agent reads at the start of a session. Source: Claude Code 2.1.330.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexLimit {
    pub lines: usize,
    pub bytes: usize,
}

impl IndexLimit {
    /// The beginning of an index that the agent reads, in whole lines.
    pub fn read_part(self, index: &str) -> &str {
        let mut ends = index.match_indices('\n').map(|(at, _)| at + 1);
        let part = &index[..ends.nth(self.lines - 1).unwrap_or(index.len())];
        if part.len() <= self.bytes {
            return part;
        }
        let whole = part[..part.floor_char_boundary(self.bytes)].rfind('\n');
        &part[..whole.map_or(0, |at| at + 1)]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubagentNotes {
    /// The folder below `agents/` in an identity: the agent's name, and more after a `+`.
    pub kept: &'static str,
    pub place: SubagentPlace,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubagentPlace {
    /// Notes about every project.
    Person(EnvPath),
    /// A folder in the work tree, about that project.
    Project(&'static str),
}

/// Characters of a summary in an index.
const MAX_LEN: usize = 150;

/// Characters of a folder's name; a longer one ends with a hash of the path.
const MAX_NAME_LEN: usize = 200;

/// The name of a project's folder: a hyphen for every UTF-16 unit that is not an ASCII letter or
/// digit. Source: Claude Code 2.1.197, compared with the folders that it creates.
pub fn folder_name(path: &str) -> String {
    let plain = |unit: u16| match u8::try_from(unit).map(char::from) {
        Ok(letter) if letter.is_ascii_alphanumeric() => letter,
        _ => '-',
    };
    let name: String = path.encode_utf16().map(plain).collect();
    if name.len() <= MAX_NAME_LEN {
        return name;
    }
    let hash = path.encode_utf16().fold(0_i32, |hash, unit| {
        hash.wrapping_shl(5).wrapping_sub(hash).wrapping_add(i32::from(unit))
    });
    format!("{}-{}", &name[..MAX_NAME_LEN], base_36(hash.unsigned_abs()))
}

fn base_36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).expect("because a remainder is a digit"));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// Whether an index has a line about a file.
pub fn names(index: &str, file: &str) -> bool {
    index.contains(&format!("({file})")) || index.contains(&format!("(./{file})"))
}

/// Whether a line is the entry of this file and no other.
pub fn is_entry_of(line: &str, file: &str) -> bool {
    let is_entry = line.starts_with("- [") || line.starts_with("* [");
    is_entry && names(line, file) && line.matches("](").count() == 1
}

/// `- [Title](file.md) — what it says`, in the agent's own format.
pub fn index_line(file: &RelPath, note: &Note) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let title = note.name.as_deref().map(one_line).filter(|title| !title.contains(['[', ']']));
    let title = title.unwrap_or_else(|| file.stem().to_owned());
    let says: String = note.says().chars().take(MAX_LEN).collect();
    if says.is_empty() {
        format!("- [{title}]({})", file.name())
    } else {
        format!("- [{title}]({}) — {says}", file.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_names_each_note_once() {
        let file = RelPath::known("tabs.md");
        let note = Note::read(b"---\nname: Tabs\ndescription: How to indent\n---\nUse tabs.\n");
        let line = index_line(&file, &note.expect("readable"));
        assert_eq!(line, "- [Tabs](tabs.md) — How to indent");
        assert!(names(&line, "tabs.md") && !names(&line, "bs.md"));
        assert!(is_entry_of("- [Mine](tabs.md) — x", "tabs.md"));
        assert!(!is_entry_of("See [Mine](tabs.md)", "tabs.md"));
        assert!(!is_entry_of("- [Mine](tabs.md), [b](b.md)", "tabs.md"));
        let bare = index_line(&file, &Note::default());
        assert_eq!(bare, "- [tabs](tabs.md)");
    }

    #[test]
    fn an_index_is_read_up_to_its_limit() {
        let limit = IndexLimit { lines: 3, bytes: 10 };
        for (index, part) in [
            ("", ""),
            ("a\nb\nc\n", "a\nb\nc\n"),
            ("a\nb\nc", "a\nb\nc"),
            ("a\nb\nc\nd\n", "a\nb\nc\n"),
            ("aaaa\nbbbbb", "aaaa\nbbbbb"),
            ("aaaa\nbbbbbb\n", "aaaa\n"),
            ("aaaa\nbbbb\u{e9}\n", "aaaa\n"),
            ("aaaaaaaaaaaaaaaa", ""),
        ] {
            assert_eq!(limit.read_part(index), part, "{index:?}");
        }
    }

    #[test]
    fn folders_are_named_by_paths() {
        assert_eq!(folder_name("/home/ann/src/a_b.c"), "-home-ann-src-a-b-c");
        assert_eq!(folder_name("/é日x/😀"), "---x---");
        // The name that the program gave to a folder with 222 characters.
        let deep = "abcdefghij".repeat(4);
        let long = format!(
            "/tmp/real/notes/p/{deep}/{deep}/{deep}/{deep}/abcdefghijabcdefghijabcdefghijabcdefghij"
        );
        let name = folder_name(&long);
        assert_eq!((name.len(), &name[200..]), (207, "-6rax4b"));
    }
}
