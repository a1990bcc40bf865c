//! Every link in a tracked markdown file leads to a file that is there, and to a heading of it.
//!
//! Each failure names the file, the line and the link.

use crate::support::git;
use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// The lines of a text outside fences and indented code, numbered from 1, without their code spans.
fn prose(text: &str) -> Vec<(usize, String)> {
    let mut is_fenced = false;
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if !is_fenced && !line.starts_with("    ") {
            let spoken: Vec<&str> = line.split('`').step_by(2).collect();
            lines.push((at + 1, spoken.join("")));
        }
    }
    lines
}

/// The targets of `[text](target)`, `![text](target)` and `[id]: target`.
fn links(line: &str) -> Vec<String> {
    let inline = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let mut found: Vec<String> = inline.map(|(target, _)| target.to_owned()).collect();
    if line.starts_with('[') {
        found.extend(line.split_once("]: ").map(|(_, target)| target.trim().to_owned()));
    }
    found
}

/// As GitHub names the headings of a page: the second one of a name ends in `-1`.
fn anchors(text: &str) -> Vec<String> {
    let mut is_fenced = false;
    let mut plain: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        }
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if is_fenced || !(1..=6).contains(&level) || !title.starts_with(' ') {
            continue;
        }
        let lower = title.trim().to_lowercase();
        let kept = lower.chars().filter(|one| one.is_alphanumeric() || " -_".contains(*one));
        plain.push(kept.map(|one| if one == ' ' { '-' } else { one }).collect());
    }
    let earlier = |at: usize| plain[..at].iter().filter(|other| **other == plain[at]).count();
    let numbered = |at: usize| match earlier(at) {
        0 => plain[at].clone(),
        times => format!("{}-{times}", plain[at]),
    };
    (0..plain.len()).map(numbered).collect()
}

/// `docs/../SECURITY.md` as `SECURITY.md`; `None` if it leads out of the repository.
fn resolved(from: &str, to: &str) -> Option<PathBuf> {
    let mut path = Path::new(from).parent()?.to_path_buf();
    for part in Path::new(to).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => path.pop().then_some(())?,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

/// What is wrong with a link, if anything.
fn fault(root: &Path, tracked: &[String], from: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (to, anchor) = link.split_once('#').map_or((link, None), |(to, name)| (to, Some(name)));
    let path = if to.is_empty() { Some(PathBuf::from(from)) } else { resolved(from, to) };
    let Some(path) = path else { return Some("leads out of the repository".to_owned()) };
    // Compared as text: a disk that ignores case would find `Readme.md`, too.
    let has = |path: &Path| tracked.iter().any(|file| Path::new(file).starts_with(path));
    if !has(&path) {
        return Some(format!("there is no {}", path.display()));
    }
    let name = anchor?;
    let text = fs::read_to_string(root.join(&path)).unwrap_or_default();
    let is_there = anchors(&text).iter().any(|anchor| anchor == name);
    (!is_there).then(|| format!("{} has no heading #{name}", path.display()))
}

#[test]
fn every_link_in_markdown_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tracked: Vec<String> = git(root, &["-c", "safe.directory=*", "ls-files", "-z"])
        .split_terminator('\0')
        .map(str::to_owned)
        .collect();
    let (mut faults, mut followed) = (Vec::new(), 0);
    let is_page = |file: &&String| file.ends_with(".md") && !file.starts_with("tests/files/");
    for file in tracked.iter().filter(is_page) {
        let text = fs::read_to_string(root.join(file)).expect("a tracked file");
        for (number, line) in prose(&text) {
            for link in links(&line) {
                followed += 1;
                let fault = fault(root, &tracked, file, &link);
                faults.extend(fault.map(|fault| format!("{file}:{number}: ({link}) {fault}")));
            }
        }
    }
    assert!(followed > 20, "{followed} links were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_link_that_leads_nowhere_is_noticed() {
    let tracked = ["README.md".to_owned(), "docs/page.md".to_owned()];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let said = |link: &str| fault(root, &tracked, "docs/page.md", link);
    for good in
        ["../README.md", "page.md", "../docs", "https://example.org/x", "#a-page-in-your-browser"]
    {
        assert_eq!(said(good), None, "{good}");
    }
    for bad in ["README.md", "../readme.md", "../../x.md", "/docs/page.md", "#nowhere"] {
        assert!(said(bad).is_some(), "{bad}");
    }
    assert_eq!(
        anchors("# What `co` does\n\n## Added\n\n```\n# no\n```\n\n## Added\n"),
        ["what-co-does", "added", "added-1"]
    );
    assert_eq!(links("[a](b.md), ![c](d.png) and (e)"), ["b.md", "d.png"]);
    assert!(
        prose("`[a](b)` x\n\n    [a](b)\n```\n[a](b)\n```\n")
            .iter()
            .all(|(_, line)| links(line).is_empty())
    );
}
