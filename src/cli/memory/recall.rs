//! `co memory recall`, `co recall`

use crate::cli::args::{ScopeArg, scope};
use crate::cli::{
    output::Output,
    progress::waiting,
    style::{Style, safe},
    verb::{Cli, Verb},
};
use crate::ops::{Failure, recall};
use clap::Args;

/// `co memory recall`
#[derive(Args, Debug)]
#[command(
    after_help = "Words, \"exact phrases\", OR, and -word to leave out. A fact that holds the \
        whole question comes first."
)]
pub struct Recall {
    /// The question
    #[arg(required = true, value_name = "QUERY")]
    pub query: Vec<String>,
    /// At most so many answers
    #[arg(short = 'n', long, default_value_t = recall::DEFAULT_LIMIT)]
    pub limit: usize,
    /// Only in this scope
    #[arg(long)]
    pub scope: Option<ScopeArg>,
}

impl Verb for Recall {
    fn name(&self) -> &'static str {
        "memory recall"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let request = recall::Request {
            query: self.query.join(" "),
            limit: self.limit,
            scope: scope(self.scope),
        };
        let report = waiting(cli, "Searching…", || recall::run(cli.context, &request))?;
        let findings = report.findings.clone();
        Ok(Output::data(recalled(&report, cli.style), report).skipped(&findings))
    }
}

fn recalled(report: &recall::Report, style: Style) -> String {
    let query = safe(&report.query);
    if report.results.is_empty() {
        // Programs get the one line that they know.
        let more = if style.width.is_some() { instead(report) } else { String::new() };
        return format!("No memories found matching '{query}'\n{more}");
    }
    if style.width.is_some() {
        return report.results.iter().map(|answer| shown(answer, style)).collect();
    }
    let mut text = format!("Found {} memories matching '{query}':\n\n", report.count);
    for answer in &report.results {
        let id = &answer.handle;
        text.push_str(&format!("**Memory {id}** (created {})\n", safe(&answer.date)));
        if !answer.tags.is_empty() {
            text.push_str(&format!("Tags: {}\n", safe(&answer.tags.join(", "))));
        }
        text.push_str(&format!("{}\n\n", safe(&answer.content)));
    }
    text
}

/// Where to look when nothing answers.
fn instead(report: &recall::Report) -> String {
    let near = |near: &recall::Near| safe(&format!("{} {}", near.handle, near.summary));
    match (report.nearest.as_slice(), report.searched) {
        ([], 0) => String::new(),
        ([], searched) => format!("`co list` shows all {searched}.\n"),
        (nearest, _) => {
            let named: Vec<String> = nearest.iter().map(near).collect();
            format!("Nearest: {}\n", named.join(" · "))
        }
    }
}

/// An answer for a terminal; the markdown above is for programs.
fn shown(answer: &recall::Answer, style: Style) -> String {
    let tags = if answer.tags.is_empty() {
        String::new()
    } else {
        format!(" [{}]", answer.tags.join(", "))
    };
    let date = &answer.date;
    let content = safe(&answer.content);
    let mut lines = content.lines();
    let first = lines.next().unwrap_or_default();
    let about = style.dim(&safe(&format!("{date}{tags}")));
    let rest: String = lines.map(|line| format!("      {line}\n")).collect();
    format!("{:>4}  {first}  {about}\n{rest}", safe(&answer.handle))
}
