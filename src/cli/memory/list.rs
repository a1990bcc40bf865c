//! `co memory list`

use crate::cli::args::{ScopeArg, scope};
use crate::cli::{
    complete,
    output::Output,
    progress::waiting,
    style::{Style, safe},
    verb::{Cli, Verb},
};
use crate::ops::{Failure, list, store::Scope};
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co memory list`
#[derive(Args, Debug, Default)]
pub struct List {
    /// Only facts with this tag; may be given several times
    #[arg(short, long = "tag", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// Only in this scope
    #[arg(long)]
    pub scope: Option<ScopeArg>,
}

impl Verb for List {
    fn name(&self) -> &'static str {
        "memory list"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let request = list::Request { scope: scope(self.scope), tags: self.tags };
        let report = waiting(cli, "Reading…", || list::run(cli.context, &request))?;
        let findings = report.findings.clone();
        Ok(Output::data(listed(&report, cli.style), report).skipped(&findings))
    }
}

fn listed(report: &list::Report, style: Style) -> String {
    if !report.folder {
        return "No memories saved yet.\n".to_owned();
    }
    if report.memories.is_empty() {
        return "No memories found.\n".to_owned();
    }
    if style.width.is_some() {
        return report.memories.iter().map(|row| line(row, style)).collect();
    }
    let mut text = format!("Total memories: {}\n\n", report.count);
    for row in &report.memories {
        let scope = if row.scope == Scope::Project { "p" } else { "" };
        let number = row.id.map_or_else(|| row.handle.clone(), |id| format!("{scope}{id:03}"));
        let mark =
            row.handle.split_once('-').map_or_else(String::new, |(_, digits)| format!("-{digits}"));
        let tags =
            if row.tags.is_empty() { String::new() } else { format!(" [{}]", row.tags.join(", ")) };
        let pin = if row.pinned { " pinned" } else { "" };
        let date = &row.date;
        text.push_str(&safe(&format!("**{number}{mark}** ({date}{pin}){tags}: {}\n", row.summary)));
    }
    text
}

/// A row for a terminal; the markdown above is for programs.
fn line(row: &list::Row, style: Style) -> String {
    let mut about: Vec<String> = Vec::new();
    if row.pinned {
        about.push("pinned".to_owned());
    }
    if !row.tags.is_empty() {
        about.push(format!("[{}]", row.tags.join(", ")));
    }
    about.push(row.date.clone());
    let about = style.dim(&safe(&about.join(" ")));
    format!("{:>4}  {}  {about}\n", safe(&row.handle), safe(&row.summary))
}
