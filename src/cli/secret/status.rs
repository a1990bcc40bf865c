//! `co secret status`

use crate::cli::{
    output::{Ending, Output},
    style::{Style, plural, safe},
    verb::{Cli, Needs, Verb},
};
use crate::ops::{Failure, secret};
use clap::Args;

/// `co secret status`
#[derive(Args, Debug)]
pub struct Status {
    /// Exit 1 when one is missing
    #[arg(long)]
    exit_code: bool,
}

impl Verb for Status {
    fn name(&self) -> &'static str {
        "secret status"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = secret::status(cli.context)?;
        let ending = Ending::found(self.exit_code && !report.missing().is_empty());
        let problem = report.problem.clone().filter(|_| !report.needs.is_empty());
        let warnings = problem.into_iter().collect();
        Ok(Output { ending, warnings, ..Output::data(status(&report, cli.style), report) })
    }
}

fn status(report: &secret::Status, style: Style) -> String {
    if report.needs.is_empty() {
        return "No secret is mentioned: neither {{secret:NAME}} in the identity nor in \
            settings.json.\n"
            .to_owned();
    }
    let width = report.needs.iter().map(|need| need.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for need in &report.needs {
        let state = match need.origin {
            Some(secret::Origin::Keyring) => style.learned("keyring    "),
            Some(secret::Origin::Environment) => style.learned("environment"),
            None if need.missing => style.forgotten("missing    "),
            None => style.edited("unknown    "),
        };
        let more = if need.places.len() > 3 {
            format!(" and {} more", need.places.len() - 3)
        } else {
            String::new()
        };
        let places = need.places.iter().take(3).cloned().collect::<Vec<_>>().join(", ") + &more;
        text.push_str(&format!(
            "{:width$}  {state}  {}\n",
            safe(&need.name),
            style.dim(&safe(&style.fit(&places, width + 15)))
        ));
    }
    let missing = report.missing();
    match (missing.as_slice(), &report.problem) {
        (_, Some(_)) => report
            .hints
            .iter()
            .for_each(|hint| text.push_str(&format!("{} {}\n", style.dim("hint:"), safe(hint)))),
        ([], None) => {
            text.push_str(&format!("{} This laptop has all of them.\n", style.learned("✓")))
        }
        ([first, ..], None) => {
            let are = plural(missing.len(), "secret is missing", "secrets are missing");
            text.push_str(&format!("{are} on this laptop: `co secret set {first}`\n"));
        }
    }
    text
}
