//! `co identity check`: arguments and output. The verb is `upkeep::check`.

use crate::cli::{
    args::Allow,
    failure::Failure,
    output::{Ending, Output},
    progress::waiting,
    style::{ListLength, Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::identity::{Finding, Severity};
use crate::upkeep::check;
use clap::Args;

pub(in crate::cli) const HELP: &str = "\
    Exits with 1 if something is wrong. `co help findings` explains each code.\n\
    \n\
    Examples:\n  \
    co check         look at all files\n  \
    co check --fix   and fix what can be fixed";

/// `co identity check`
#[derive(Args, Debug)]
pub struct Check {
    /// Check only these files or folders of the identity
    pub paths: Vec<String>,
    /// Fix what can be fixed
    #[arg(long, conflicts_with_all = ["staged", "history"])]
    pub fix: bool,
    /// Check what the next `git commit` would commit, instead of the files
    #[arg(long, conflicts_with = "history")]
    pub staged: bool,
    /// Check every version in every commit, instead of the files
    #[arg(long)]
    pub history: bool,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Check {
    fn name(&self) -> &'static str {
        "identity check"
    }

    fn needs(&self) -> Needs {
        if self.fix { Needs::PLACE } else { Needs::Defaults }
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let scope = match (self.staged, self.history) {
            (true, _) => check::CheckScope::Staged,
            (_, true) => check::CheckScope::History,
            _ => check::CheckScope::Files,
        };
        let request = check::Request {
            paths: self.paths,
            strict: self.strict,
            fix: self.fix,
            scope,
            allowed: self.allow.rules()?,
        };
        let report = waiting(cli, "Checking…", || check::run(cli.ws, &request))?;
        let ending = Ending::found(!report.passed);
        let told = if cli.verbose { ListLength::All } else { ListLength::First };
        Ok(Output { ending, ..Output::data(checked(&report, told, cli.style), report) })
    }
}

/// How many files of a group are listed.
const NAMED: usize = 3;

pub(in crate::cli) fn checked(report: &check::Report, told: ListLength, style: Style) -> Said {
    let all = told == ListLength::All;
    let mut text = Said::new();
    for path in &report.fixed {
        text.push(said!("{} {}\n", style.learned("fixed"), path));
    }
    for decision in &report.decisions {
        let line = said!("    {}: {}", decision.path, decision.why);
        text.push(said!("{}\n", style.dim(&line)));
    }
    let groups = by_code(&report.findings);
    let is_short = |group: &Vec<&Finding>| all || group.len() <= most_single(group[0]);
    if groups.iter().all(is_short) {
        let mut single: Vec<&Finding> = report.findings.iter().collect();
        single.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        text.extend(single.into_iter().map(|finding| one(finding, style)));
    } else {
        // A single problem comes before a thousand of another kind.
        let (short, long): (Vec<Vec<&Finding>>, Vec<Vec<&Finding>>) =
            groups.into_iter().partition(is_short);
        text.extend(short.into_iter().flatten().map(|finding| one(finding, style)));
        text.extend(long.iter().map(|group| grouped(group, style)));
    }
    let count = report.findings.len();
    if count == 0 {
        text.push(said!("{} {} files, nothing wrong.\n", style.learned("✓"), report.files));
        return text;
    }
    let tail = match report.to_fix {
        0 => Said::from("."),
        files => {
            let files = plural(files, "file", "files");
            said!("; `co check --fix` fixes {}.", files)
        }
    };
    let noun = if count == 1 { "problem" } else { "problems" };
    text.push(said!("{} {} in {}{}\n", count, noun, plural(report.files, "file", "files"), tail));
    text
}

/// How many findings of this one's kind are listed individually.
const fn most_single(finding: &Finding) -> usize {
    match finding.severity {
        Severity::Error => 20,
        Severity::Warning => 5,
    }
}

/// The findings of each kind, errors first, in the order in which they were found.
fn by_code(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        match groups.iter_mut().find(|group| group[0].code == finding.code) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    let worst = |group: &Vec<&Finding>| group.iter().map(|finding| finding.severity).max();
    groups.sort_by_key(|group| std::cmp::Reverse(worst(group)));
    groups
}

fn severity(finding: &Finding, style: Style) -> Said {
    match finding.severity {
        Severity::Error => style.forgotten("error"),
        Severity::Warning => style.edited("warning"),
    }
}

fn place(finding: &Finding) -> Said {
    let line = finding.line.map_or_else(Said::new, |line| said!(":{}", line));
    said!("identity/{}{}", finding.path, line)
}

fn one(finding: &Finding, style: Style) -> Said {
    let fix = if finding.fixable { style.dim("  (fixable)") } else { Said::new() };
    said!(
        "{}  {} {}{}\n    {}\n",
        style.strong(place(finding)),
        severity(finding, style),
        style.dim(said!("[{}]", finding.code.as_str())),
        fix,
        finding.message
    )
}

/// Many findings of one kind: their number, the first files, and what is wrong with the first.
fn grouped(group: &[&Finding], style: Style) -> Said {
    let first = group[0];
    let fixable = group.iter().filter(|finding| finding.fixable).count();
    let fix = match fixable {
        0 => Said::new(),
        all if all == group.len() => style.dim("  (fixable)"),
        some => style.dim(said!("  ({} fixable)", some)),
    };
    let count = match first.severity {
        Severity::Error => style.forgotten(plural(group.len(), "error", "errors")),
        Severity::Warning => style.edited(plural(group.len(), "warning", "warnings")),
    };
    let mut text = said!("{} {}{}\n", count, style.dim(said!("[{}]", first.code.as_str())), fix);
    let mut files: Vec<&str> = group.iter().map(|finding| finding.path.as_str()).collect();
    files.dedup();
    for file in files.iter().take(NAMED) {
        text.push(said!("    identity/{}\n", *file));
    }
    let more = match files.len().saturating_sub(NAMED) {
        0 => Said::from("    `co check -v` lists each one"),
        more => said!("    … and {} more; `co check -v` lists all of them", more),
    };
    text.push(said!("{}\n", style.dim(&more)));
    // The others may have another reason.
    text + &said!("    for example {}: {}\n", place(first), first.message)
}
