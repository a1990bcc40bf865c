//! What in a skill can run, or lets an agent run something.
//!
//! Invariant: told by content, name and place, never by marks that git or Windows lose; when in
//! doubt it is named. Must not know: who agrees to it.

use super::{FILE, Skill};
use crate::identity::{blob::Blob, document::Document, frontmatter::Entry, path::RelPath};

/// How much of a command is shown.
const MAX_SHOWN: usize = 80;

impl Skill {
    /// What in it can run, or lets an agent run something, each in a few words: first what works
    /// without being read, so that no number of files hides it.
    pub fn programs(&self) -> Vec<String> {
        let mut found = self.grants();
        for (path, blob) in self.files.iter() {
            found.extend(commands_in(path, blob));
        }
        for (path, blob) in self.files.iter() {
            found.extend(program(path, blob).map(|what| format!("{path} ({what})")));
        }
        found
    }

    /// Keys by which an agent runs something, or may; `<<` brings in keys from elsewhere in the
    /// text.
    fn grants(&self) -> Vec<String> {
        let document = self.document();
        let front = document.as_ref().and_then(Document::front);
        let entries = front.map_or(&[][..], |front| front.entries()).iter();
        let grants = |entry: &&Entry| {
            let key = entry.key.to_lowercase().replace(['_', '-'], "");
            matches!(key.as_str(), "hooks" | "allowedtools" | "mcpservers" | "<<")
        };
        let named = |entry: &Entry| {
            let said = short(entry.shown());
            format!("{FILE} (`{}:` {said})", entry.key).replace(" )", ")")
        };
        entries.filter(grants).map(named).collect()
    }
}

/// Whether it needs the mark of a program where files have one.
pub fn is_started(blob: &Blob) -> bool {
    blob.starts_with(b"#!") || is_compiled(blob)
}

/// ELF, Mach-O in its four forms and for several processors, and what Windows starts.
fn is_compiled(blob: &[u8]) -> bool {
    const STARTS: &[&[u8]] = &[
        b"\x7fELF",
        b"\xfe\xed\xfa\xce",
        b"\xfe\xed\xfa\xcf",
        b"\xce\xfa\xed\xfe",
        b"\xcf\xfa\xed\xfe",
        b"\xca\xfe\xba\xbe",
        b"\0asm",
    ];
    let is_of_windows = || blob.starts_with(b"MZ") && memchr::memchr(0, blob).is_some();
    STARTS.iter().any(|start| blob.starts_with(start)) || is_of_windows()
}

/// Endings of what a shell, an interpreter or a desktop runs.
const RUN: &str = "appimage applescript awk bash bat cjs cmd com command cpl csh cts deb desktop dll \
    dmg docm dylib el exe exp exs fish go groovy hta inf ipynb jar jl js jse jsx ksh kts lnk lua mjs \
    msi mts nix nu php pif pkg pl pptm ps1 psd1 psm1 pth py pyc pyw pyz r rb reg rpm rs scala scpt scr \
    sh so swift tcl ts tsx url vbe vbs vsix wasm webloc whl wsf wsh xlsm xpi zsh";
/// Files that shells and tools of programmers run without being told to.
const RUN_BY_NAME: &[&str] = &[
    ".bash_profile",
    ".bashrc",
    ".envrc",
    ".mcp.json",
    ".npmrc",
    ".pre-commit-config.yaml",
    ".profile",
    ".zshenv",
    ".zshrc",
    "cmakelists.txt",
    "compose.yaml",
    "compose.yml",
    "devcontainer.json",
    "docker-compose.yaml",
    "docker-compose.yml",
    "dockerfile",
    "hooks.json",
    "gemfile",
    "gnumakefile",
    "jenkinsfile",
    "justfile",
    "launch.json",
    "makefile",
    "mcp.json",
    "package.json",
    "plugin.json",
    "procfile",
    "pyproject.toml",
    "rakefile",
    "settings.json",
    "settings.local.json",
    "taskfile.yml",
    "tasks.json",
    "vagrantfile",
];
/// What makes a page run something where it is looked at.
const IN_PAGES: &[&str] = &[
    "<script",
    "javascript:",
    "onbegin=",
    "onclick=",
    "onerror=",
    "onfocus=",
    "onload=",
    "onmouseover=",
    "ontoggle=",
    "srcdoc=",
];

/// How a file runs, if it can.
fn program(path: &RelPath, blob: &Blob) -> Option<String> {
    let text = blob.strip_prefix(b"\xef\xbb\xbf").unwrap_or(blob);
    if let Some(rest) = text.strip_prefix(b"#!") {
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        return Some(format!("#!{}", short(String::from_utf8_lossy(line).trim())));
    }
    if is_compiled(blob) {
        return Some("a compiled program".to_owned());
    }
    let name = path.name().to_lowercase();
    if path.as_str() != FILE && name == FILE.to_lowercase() {
        return Some("another skill, which some agents take by itself".to_owned());
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if RUN.split_whitespace().any(|known| known == ending) {
        return Some(format!("a program, by its ending .{ending}"));
    }
    if RUN_BY_NAME.contains(&name.as_str()) {
        return Some("settings that can start programs".to_owned());
    }
    let is_page = matches!(ending, "htm" | "html" | "svg" | "xhtml");
    if is_page && runs_when_seen(blob) {
        return Some("a page that runs scripts".to_owned());
    }
    let folders = path.folder().to_lowercase();
    let is_for_programs =
        folders.split('/').any(|part| matches!(part, "scripts" | "bin" | "hooks"));
    (is_for_programs && ending != "md").then(|| "in a folder of programs".to_owned())
}

fn runs_when_seen(page: &Blob) -> bool {
    let page = String::from_utf8_lossy(page).to_lowercase();
    // `onload = x()` is read as `onload=x()`.
    let page: String = page.split_ascii_whitespace().collect();
    IN_PAGES.iter().any(|sign| page.contains(sign))
}

/// Commands that an agent runs when it reads a text: `` !`command` ``, and fences that begin with
/// `` ```! ``.
fn commands_in(path: &RelPath, blob: &Blob) -> Vec<String> {
    if !path.name().to_lowercase().ends_with(".md") {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(blob);
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut rest = line;
        while let Some((_, behind)) = rest.split_once("!`") {
            let command = behind.split('`').next().unwrap_or_default();
            found.push(format!("{path} line {} (!`{}`)", at + 1, short(command)));
            rest = behind.get(command.len() + 1..).unwrap_or_default();
        }
        if line.trim_start().starts_with("```!") {
            found.push(format!("{path} line {} (a block of commands)", at + 1));
        }
    }
    found
}

fn short(text: &str) -> String {
    let cut: String = text.chars().take(MAX_SHOWN).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "---\nname: deploy\ndescription: Deploys\n---\n\nRun it.\n";

    fn skill(files: &[(&str, &[u8])]) -> Skill {
        let file = |(path, bytes): &(&str, &[u8])| (RelPath::known(path), Blob::from(*bytes));
        Skill { name: "deploy".to_owned(), files: files.iter().map(file).collect() }
    }

    #[test]
    fn what_can_run_is_named_by_its_content() {
        let with =
            |path: &str, bytes: &[u8]| skill(&[(FILE, SOUND.as_bytes()), (path, bytes)]).programs();
        for (path, bytes) in [
            ("run", &b"#!/bin/sh\n"[..]),
            ("tool", b"\x7fELF\0"),
            ("tool", b"\xcf\xfa\xed\xfe"),
            ("tool.dat", b"MZ\0\x01"),
            ("a.PS1", b"x"),
            ("a.py", b"x"),
            ("scripts/x", b"x"),
            ("hooks.json", b"{}"),
            ("notes", b"\xef\xbb\xbf#!/bin/sh\n"),
            ("a.hta", b"x"),
            ("page.html", b"<p><SCRIPT>x()</SCRIPT>"),
            ("logo.svg", b"<svg onload='x()'/>"),
            (".vscode/tasks.json", b"{}"),
            ("hooks/pre", b"x"),
            ("inner/SKILL.md", b"---\nname: other\n---\n"),
            ("inner/skill.MD", b"x"),
            ("logo.svg", b"<svg/ONLOAD\n= 'x()'>"),
            ("a.htm", b"<iframe srcdoc='x'>"),
            ("references/a.md", b"now !`id` then"),
            ("references/a.md", b"```!\nid\n```\n"),
        ] {
            assert_eq!(with(path, bytes).len(), 1, "{path}");
        }
        for (path, bytes) in [
            ("references/a.md", &b"Say hi! `id` is a command"[..]),
            ("assets/a.png", b"\x89PNG\0"),
            ("notes.txt", b"MZ is a prefix"),
            ("page.html", b"<p>Say script</p>"),
            ("logo.svg", b"<svg/>"),
            ("scripts/README.md", b"x"),
        ] {
            assert_eq!(with(path, bytes), Vec::<String>::new(), "{path}");
        }
        let text = SOUND.replace("---\n\n", "allowed-tools: Bash(git:*)\nhooks:\n  a: b\n---\n\n");
        let named = skill(&[(FILE, text.as_bytes())]).programs();
        assert_eq!(named, ["SKILL.md (`allowed-tools:` Bash(git:*))", "SKILL.md (`hooks:` a: b)"]);
        // Before any number of files.
        let many = skill(&[(FILE, text.as_bytes()), ("a.sh", b"x"), ("SKILL.md.sh", b"x")]);
        assert_eq!(many.programs()[..2], named[..]);
        for key in ["\"hooks\"", "allowed_tools", "allowedTools", "'Allowed-Tools'"] {
            let text = SOUND.replace("---\n\n", &format!("{key}: x\n---\n\n"));
            assert_eq!(skill(&[(FILE, text.as_bytes())]).programs().len(), 1, "{key}");
        }
    }
}
