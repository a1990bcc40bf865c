//! `co memory similar`

use super::recall::at_least_one;
use crate::cli::{
    args::{ScopeArg, scope},
    complete,
    output::Output,
    progress::waiting,
    style::{Style, safe},
    verb::{Cli, Needs, Verb},
};
use crate::ops::{
    Failure,
    similar::{self, Report},
};
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co memory similar`
#[derive(Args, Debug)]
pub struct Similar {
    /// The fact: its number (`12`), `12-3fa9` or `sha256:3fa9…`; without it, all facts that say
    /// nearly the same as an older one
    #[arg(value_name = "HANDLE", add = ArgValueCandidates::new(complete::handles))]
    handle: Option<String>,
    /// At most so many facts
    #[arg(short = 'n', long, default_value_t = similar::DEFAULT_LIMIT, value_parser = at_least_one)]
    limit: usize,
    /// Only in this scope
    #[arg(long)]
    scope: Option<ScopeArg>,
}

impl Verb for Similar {
    fn name(&self) -> &'static str {
        "memory similar"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let request =
            similar::Request { handle: self.handle, scope: scope(self.scope), limit: self.limit };
        let report = waiting(cli, "Comparing…", || similar::run(cli.context, &request))?;
        Ok(Output::data(shown(&report, cli.style), report))
    }
}

fn shown(report: &Report, style: Style) -> String {
    match report {
        Report::Of { handle, summary, similar } if similar.is_empty() => {
            format!("No fact is like {handle} \"{}\".\n", safe(summary))
        }
        Report::Of { similar, .. } => similar.iter().map(|like| line(like, style)).collect(),
        Report::Pairs(pairs) if pairs.is_empty() => {
            "No two facts say nearly the same.\n".to_owned()
        }
        Report::Pairs(pairs) => {
            let named =
                |id: Option<u64>, path: &str| id.map_or(path.to_owned(), |id| id.to_string());
            let line = |pair: &crate::recall::similar::Similar| {
                let (one, other) =
                    (named(pair.id, &pair.path), named(pair.other_id, &pair.other_path));
                let score = style.dim(&format!("{:.2}", pair.score));
                safe(&format!("{one} looks like {other} \"{}\"", pair.other))
                    + &format!("  {score}\n")
            };
            pairs.iter().map(line).collect()
        }
    }
}

fn line(like: &similar::Like, style: Style) -> String {
    let score = style.dim(&format!("{:.2}", like.score));
    let about = style.dim(&safe(&like.date));
    format!("{:>4}  {score}  {}  {about}\n", safe(&like.handle), safe(&like.summary))
}
