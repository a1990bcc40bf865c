//! A skill: a folder of the Agent Skills standard, with a `SKILL.md` and whatever it uses.
//!
//! Invariant: the bytes are another's and never rewritten; a skill with a fault reaches no agent.
//! Source: agentskills.io. Must not know: where skills are kept or used.

mod files;
mod programs;

pub use programs::is_started;

use super::{
    blob::Blob,
    document::Document,
    finding::{Code, Finding},
    hash::ContentHash,
    kind::{Role, SKILLS},
    path::RelPath,
    portable,
    snapshot::Snapshot,
};
use crate::foreign::Foreign;
use std::collections::BTreeMap;

/// The file that makes a folder a skill.
pub const FILE: &str = "SKILL.md";
/// co's own skill, which `agent install` writes: no other has its name.
pub const OWN_NAME: &str = "co-memory";
/// Characters of a name, and of a description; from the standard.
const MAX_NAME: usize = 64;
const MAX_DESCRIPTION: usize = 1_024;
const MIB: u64 = 1024 * 1024;
/// An agent reads all of this file.
pub const MAX_TEXT_BYTES: u64 = MIB;
/// Of all files of a skill: every laptop stores them twice.
pub const MAX_BYTES: u64 = 32 * MIB;
pub const MAX_FILES: usize = 1_000;

/// A skill by its name, with its files by their paths within its folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skill {
    pub name: String,
    pub files: Snapshot,
}

/// What breaks a rule, and in which file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Within the skill's folder.
    pub path: RelPath,
    pub line: Option<usize>,
    pub message: String,
}

impl Fault {
    fn of(path: &str, message: impl Into<String>) -> Fault {
        Fault { path: RelPath::known(path), line: None, message: message.into() }
    }
}

/// The skill that a file of an identity belongs to, and its path within it.
fn placed(path: &RelPath) -> Option<(&str, &str)> {
    path.as_str().strip_prefix(SKILLS)?.split_once('/')
}

/// The skills of an identity, by name.
pub fn all(identity: &Snapshot) -> Vec<Skill> {
    let mut found: BTreeMap<&str, Snapshot> = BTreeMap::new();
    for (path, blob) in identity.iter() {
        let Some((name, rest)) = placed(path) else { continue };
        let rest = RelPath::known(rest);
        if !is_leftover(&rest) {
            found.entry(name).or_default().put(rest, blob.clone());
        }
    }
    found.into_iter().map(|(name, files)| Skill { name: name.to_owned(), files }).collect()
}

/// What `check` reports about the skills of an identity.
pub fn check(identity: &Snapshot) -> Vec<Finding> {
    let of = |skill: Skill| {
        let as_finding = |fault: Fault| {
            let path = skill.place(&fault.path);
            let finding = Finding::new(Code::SkillInvalid, &path, fault.message);
            Finding { line: fault.line, ..finding }
        };
        skill.faults().into_iter().map(as_finding).collect::<Vec<Finding>>()
    };
    all(identity).into_iter().flat_map(of).collect()
}

/// Whether a file in a skill's folder is no part of it: left behind by systems, editors and
/// interpreters, or git's own, which would rule over the identity's repository.
pub fn is_leftover(path: &RelPath) -> bool {
    let made = |part: &str| matches!(part, "__pycache__" | "node_modules");
    portable::is_litter(path) || path.role() == Role::Git || path.as_str().split('/').any(made)
}

impl Skill {
    /// The path in an identity.
    pub fn place(&self, path: &RelPath) -> RelPath {
        RelPath::known(&format!("{SKILLS}{}/{path}", self.name))
    }

    /// Its files by their paths in an identity.
    pub fn placed(&self) -> Snapshot {
        self.files.iter().map(|(path, blob)| (self.place(path), blob.clone())).collect()
    }

    /// Of its name and of every path and byte: another hash is another skill to agree to.
    pub fn hash(&self) -> ContentHash {
        let mut text = format!("{}\n", self.name);
        for (path, blob) in self.files.iter() {
            text.push_str(&format!("{} {path}\n", ContentHash::of_bytes(blob).hex()));
        }
        ContentHash::of_bytes(text.as_bytes())
    }

    fn text(&self) -> Option<&Blob> {
        self.files.get(&RelPath::known(FILE))
    }

    /// The text that an agent reads.
    pub fn shown_text(&self) -> String {
        self.text().map(|text| String::from_utf8_lossy(text).into_owned()).unwrap_or_default()
    }

    fn document(&self) -> Option<Document> {
        Document::read(self.text()?).ok()
    }

    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, blob)| blob.size()).sum()
    }

    /// The name that its own file states.
    pub fn stated_name(&self) -> Option<String> {
        self.document()?.get("name")?.text()
    }

    pub fn description(&self) -> Option<String> {
        self.document()?.get("description")?.text()
    }

    /// Why no agent gets it; empty for a sound skill.
    pub fn faults(&self) -> Vec<Fault> {
        // Nothing is placed under such a name, so there is no more to say.
        if let Err(why) = name_fits(&self.name) {
            let message = format!("the name `{}` {why}", self.name);
            return vec![Fault::of(FILE, message)];
        }
        if self.name == OWN_NAME {
            return vec![Fault::of(FILE, format!("`{OWN_NAME}` is the name of co's own skill"))];
        }
        let mut faults = Vec::new();
        match self.text() {
            None => faults.push(Fault::of(FILE, format!("there is no {FILE}"))),
            Some(text) if text.size() > MAX_TEXT_BYTES => {
                let bytes = text.size();
                let message =
                    format!("{bytes} bytes; it can have 1 MiB, move parts of it elsewhere");
                faults.push(Fault::of(FILE, message));
            }
            Some(text) => faults.extend(self.faults_of_text(text)),
        }
        if self.files.len() > MAX_FILES {
            let count = self.files.len();
            faults.push(Fault::of(FILE, format!("{count} files; a skill can have {MAX_FILES}")));
        }
        if self.bytes() > MAX_BYTES {
            let bytes = self.bytes();
            faults.push(Fault::of(FILE, format!("{bytes} bytes in all; a skill can have 32 MiB")));
        }
        faults.extend(self.faults_of_files());
        faults
    }

    fn faults_of_text(&self, text: &Blob) -> Vec<Fault> {
        let at = RelPath::known(FILE);
        let document = match Document::read(text) {
            Ok(document) if document.front().is_some() => document,
            Ok(_) => {
                return vec![Fault::of(FILE, "it has no `---` block with name and description")];
            }
            Err(broken) => {
                let Finding { line, message, .. } = broken.finding(&at);
                return vec![Fault { path: at, line, message }];
            }
        };
        let of = |key: &str, message: String| {
            let line = document.get(key).map(|_| document.line_of(key));
            Fault { path: at.clone(), line, message }
        };
        let said = |key: &str| document.get(key).and_then(|value| value.text());
        let mut faults = Vec::new();
        match said("name") {
            Some(name) if name == self.name => {}
            Some(name) => {
                let folder = &self.name;
                faults.push(of("name", format!("name: {name}, but its folder is called {folder}")));
            }
            None => faults.push(of("name", "`name` is missing, or no text".to_owned())),
        }
        match said("description") {
            Some(text) if text.trim().is_empty() => {
                faults.push(of("description", "`description` is empty".to_owned()));
            }
            Some(text) if text.chars().count() > MAX_DESCRIPTION => {
                let count = text.chars().count();
                let message = format!("`description` has {count} characters of {MAX_DESCRIPTION}");
                faults.push(of("description", message));
            }
            Some(_) => {}
            None => faults.push(of("description", "`description` is missing, or no text".into())),
        }
        // Also written as `\u200b`, which no line of the file shows.
        let front = document.front().map_or(&[][..], |front| front.entries());
        for key in front.iter().map(|entry| entry.key.as_str()) {
            if said(key).is_some_and(|text| Foreign(&text).hides_text()) {
                faults.push(of(key, format!("`{key}` contains characters that nobody sees")));
            }
        }
        faults
    }
}

/// Whether a name is one of the standard's: what it breaks, or nothing.
fn name_fits(name: &str) -> Result<(), &'static str> {
    let is_usual = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.len() > MAX_NAME {
        return Err("must have 1 to 64 characters");
    }
    if !name.bytes().all(is_usual) {
        return Err("must consist of lower-case letters, digits and hyphens");
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        return Err("must not begin or end with a hyphen, or have two in a row");
    }
    if portable::is_device(name) { Err("is reserved by Windows") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(name: &str, files: &[(&str, &[u8])]) -> Skill {
        let file = |(path, bytes): &(&str, &[u8])| (RelPath::known(path), Blob::from(*bytes));
        Skill { name: name.to_owned(), files: files.iter().map(file).collect() }
    }

    fn with_text(name: &str, text: &str) -> Skill {
        skill(name, &[(FILE, text.as_bytes())])
    }

    const SOUND: &str = "---\nname: deploy\ndescription: Deploys\n---\n\nRun it.\n";

    #[test]
    fn a_name_is_one_of_the_standard() {
        let longest = "a".repeat(64);
        for name in ["a", "deploy", "deploy-2", "a-b-c", longest.as_str()] {
            assert_eq!(name_fits(name), Ok(()), "{name}");
        }
        let long = "a".repeat(65);
        for name in
            ["", "A", "a_b", "a b", "../x", "a/b", "-a", "a-", "a--b", "ü", "con", long.as_str()]
        {
            assert!(name_fits(name).is_err(), "{name}");
        }
    }

    #[test]
    fn what_breaks_a_rule_is_named() {
        assert_eq!(with_text("deploy", SOUND).faults(), vec![]);
        let description = "x".repeat(1_025);
        assert_eq!(with_text("other", SOUND).faults().len(), 1);
        for text in [
            "no front\n".to_owned(),
            "---\nname: deploy\n---\n".to_owned(),
            "---\ndescription: x\n---\n".to_owned(),
            "---\nname: deploy\ndescription: ' '\n---\n".to_owned(),
            "---\nname: deploy\ndescription: [\n---\n".to_owned(),
            "---\nname: deploy\ndescription: x\n".to_owned(),
            format!("---\nname: deploy\ndescription: {description}\n---\n"),
            SOUND.replace("Run", "R\u{200b}un"),
            SOUND.replace("Run", "R\u{202e}un"),
            SOUND.replace("Run", "R\u{e0041}un"),
            SOUND.replace("Run", "R\0un"),
            SOUND.replace("Deploys", "\"x\\u200by\""),
            SOUND.replace("---\n\n", "license: \"\\u202ex\"\n---\n\n"),
        ] {
            assert_eq!(with_text("deploy", &text).faults().len(), 1, "{text:?}");
        }
        assert_eq!(skill("deploy", &[("skill.md", SOUND.as_bytes())]).faults().len(), 1);
        let huge = vec![b'a'; 10 * 1024 * 1024];
        assert_eq!(skill("deploy", &[(FILE, &huge)]).faults().len(), 1);
        let long = format!("{}x.md", "deep/".repeat(40));
        for path in [
            long.as_str(),
            "com\u{b9}.txt",
            "aux.txt",
            "a:b",
            "x.",
            "scripts/con.py",
            "secret.pem",
            "x\u{200b}.md",
        ] {
            let one = skill("deploy", &[(FILE, SOUND.as_bytes()), (path, b"x")]);
            assert_eq!(one.faults().len(), 1, "{path}");
        }
        for (one, other) in [
            ("a.md", "A.md"),
            ("sub/a.md", "SUB/b.md"),
            ("a/b/c.md", "a/B/d.md"),
            ("sub", "SUB/b.md"),
            ("\u{e9}/a.md", "e\u{301}/b.md"),
        ] {
            let twins = [(FILE, SOUND.as_bytes()), (one, &b"x"[..]), (other, b"x")];
            assert_eq!(skill("deploy", &twins).faults().len(), 1, "{one} {other}");
        }
        let apart = [(FILE, SOUND.as_bytes()), ("a/b.md", b"x"), ("a/c/b.md", b"x")];
        assert_eq!(skill("deploy", &apart).faults(), vec![]);
    }

    #[test]
    fn another_byte_name_or_path_is_another_skill() {
        let hash = |name: &str, files: &[(&str, &[u8])]| skill(name, files).hash();
        let one = hash("a", &[(FILE, b"x")]);
        assert_eq!(one, hash("a", &[(FILE, b"x")]));
        assert_ne!(one, hash("b", &[(FILE, b"x")]));
        assert_ne!(one, hash("a", &[(FILE, b"y")]));
        assert_ne!(one, hash("a", &[(FILE, b"x"), ("b", b"")]));
    }
}
