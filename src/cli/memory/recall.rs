//! `co memory recall`, `co recall`

use crate::cli::args::{ScopeArg, scope};
use crate::cli::{
    output::Output,
    style::safe,
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
        let report = recall::run(cli.context, &request)?;
        let findings = report.findings.clone();
        Ok(Output::data(recalled(&report), report).skipped(&findings))
    }
}

fn recalled(report: &recall::Report) -> String {
    let query = safe(&report.query);
    if report.results.is_empty() {
        return format!("No memories found matching '{query}'\n");
    }
    let mut text = format!("Found {} memories matching '{query}':\n\n", report.count);
    for answer in &report.results {
        let id = &answer.handle;
        text.push_str(&format!(
            "**Memory {id}** (created {})\n",
            safe(&answer.created.chars().take(10).collect::<String>())
        ));
        if !answer.tags.is_empty() {
            text.push_str(&format!("Tags: {}\n", safe(&answer.tags.join(", "))));
        }
        text.push_str(&format!("{}\n\n", safe(&answer.content)));
    }
    text
}
