//! `co secret status`: arguments and output. The verb is `integrations::secret`.

use crate::cli::{
    explain,
    failure::Failure,
    output::{Ending, Output},
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::secret;
use clap::Args;
use serde::Serialize;

/// `co secret status`
#[derive(Args, Debug)]
pub struct Status {
    /// Exit with 1 if one is missing
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
        let report = secret::status(cli.ws)?;
        let ending = Ending::found(self.exit_code && !report.missing().is_empty());
        let problem = report.problem.as_ref().filter(|_| !report.needs.is_empty());
        let warnings = problem.map(ToString::to_string).into_iter().collect();
        let hints = report.problem.as_ref().map(explain::secret).unwrap_or_default();
        let text = status(&report, &hints, cli.style);
        let data = Reported { report, hints };
        Ok(Output { ending, warnings, ..Output::data(text, data) })
    }
}

#[derive(Serialize)]
struct Reported {
    #[serde(flatten)]
    report: secret::Status,
    hints: Vec<String>,
}

fn status(report: &secret::Status, hints: &[String], style: Style) -> Said {
    if report.needs.is_empty() {
        return Said::from(
            "No secrets are mentioned: no {{secret:NAME}} in the identity or in settings.json.\n",
        );
    }
    let width = report.needs.iter().map(|need| need.name.chars().count()).max().unwrap_or(0);
    let mut text = Said::new();
    for need in &report.needs {
        let state = match need.origin {
            Some(secret::Origin::Keyring) => style.learned("keyring    "),
            Some(secret::Origin::Environment) => style.learned("environment"),
            None if need.missing => style.forgotten("missing    "),
            None => style.edited("unknown    "),
        };
        let more = match need.places.len() {
            0..=3 => String::new(),
            many => format!(" and {} more", many - 3),
        };
        let places = need.places.iter().take(3).cloned().collect::<Vec<_>>().join(", ") + &more;
        let places = style.dim(style.fit(&places, width + 15));
        text.push(said!("{}  {}  {}\n", Said::column(&need.name, width), state, places));
    }
    let missing = report.missing();
    match (missing.as_slice(), &report.problem) {
        (_, Some(_)) => {
            hints.iter().for_each(|hint| text.push(said!("{} {}\n", style.dim("hint:"), hint)));
        }
        ([], None) => text.push(said!("{} This laptop has all of them.\n", style.learned("✓"))),
        ([first, ..], None) => {
            let are = plural(missing.len(), "secret is missing", "secrets are missing");
            text.push(said!("{} on this laptop: `co secret set {}`\n", are, first));
        }
    }
    text
}
