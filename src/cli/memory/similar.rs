//! `co memory similar`: arguments and output. The verb is `facts::similar`.

use super::recall::at_least_one;
use crate::cli::{
    args::scope,
    complete,
    failure::Failure,
    handle,
    output::Output,
    progress::waiting,
    style::Style,
    verb::{Cli, Needs, Verb},
};
use crate::facts::similar::{self, Report};
use crate::foreign::{Said, said};
use crate::index::store::Scope;
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co memory similar`
#[derive(Args, Debug)]
pub struct Similar {
    /// The fact: its number (`12`), `12-3fa9`, `sha256:3fa9…` or `last`; without it, all facts that
    /// say nearly the same as an older one
    #[arg(value_name = "HANDLE", add = ArgValueCandidates::new(complete::handles))]
    handle: Option<String>,
    /// Maximum number of facts
    #[arg(short = 'n', long, default_value_t = similar::DEFAULT_LIMIT, value_parser = at_least_one)]
    limit: usize,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    scope: Option<Scope>,
}

impl Verb for Similar {
    fn name(&self) -> &'static str {
        "memory similar"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let typed = self.handle.map(|typed| handle::meant(cli, typed, self.scope));
        let request =
            similar::Request { handle: typed.transpose()?, scope: self.scope, limit: self.limit };
        let report = waiting(cli, "Comparing…", || similar::run(cli.ws, &request))?;
        Ok(Output::data(shown(&report, cli.style), report))
    }
}

fn shown(report: &Report, style: Style) -> Said {
    match report {
        Report::Of { fact, similar } if similar.is_empty() => {
            let title = style.shown_of(&fact.summary, &fact.first_line);
            said!("No fact is similar to {} \"{}\".\n", fact.handle, title)
        }
        Report::Of { similar, .. } => similar.iter().map(|like| line(like, style)).collect(),
        Report::Pairs(pairs) if pairs.is_empty() => Said::from("No near-duplicate facts found.\n"),
        Report::Pairs(pairs) => {
            let named = |id: Option<u64>, handle: &str, path: &str| {
                if id.is_some() { handle.to_owned() } else { path.to_owned() }
            };
            let line = |of_two: &similar::SimilarPair| {
                let pair = &of_two.found;
                let one = named(pair.id, &of_two.handle, &pair.path);
                let other = named(pair.other_id, &of_two.other_handle, &pair.other_path);
                let score = style.dim(said!("{:.2}", pair.score));
                let title = style.shown_of(&pair.other, &pair.other_line);
                // A terminal wraps the fact below its own column.
                let gap = if style.width.is_some() { "  " } else { " " };
                said!("  {} looks like {}{}\"{}\"  {}\n", one, other, gap, title, score)
            };
            pairs.iter().map(line).collect()
        }
    }
}

fn line(like: &similar::SimilarFact, style: Style) -> Said {
    let fact = &like.fact;
    let score = style.dim(said!("{:.2}", like.score));
    let about = style.dim(&fact.date);
    let title = style.shown_of(&fact.summary, &fact.first_line);
    said!("{:>4}  {}  {}  {}\n", fact.handle, score, title, about)
}
