//! `co identity remote`

use crate::cli::secret::password_in;
use crate::cli::{
    output::Output,
    style::safe,
    verb::{Cli, Verb},
};
use crate::ops::{Exit, Failure, init, status};
use crate::system::git::without_credentials;
use clap::Args;
use serde_json::json;

/// `co identity remote`
#[derive(Args, Debug)]
pub struct Remote {
    /// The URL of a git repository
    url: Option<String>,
}

impl Verb for Remote {
    fn name(&self) -> &'static str {
        "identity remote"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if let Some(url) = self.url {
            init::set_remote(cli.context, &url)?;
            let shown = without_credentials(&url);
            let text = format!(
                "{} The remote is {}. Next: `co identity sync`.\n",
                cli.style.learned("✓"),
                safe(&shown)
            );
            let warnings = password_in(&url);
            return Ok(Output { warnings, ..Output::done(text, json!({ "url": shown })) });
        }
        let git = status::run(cli.context)?.git;
        let url = git.and_then(|git| git.url).ok_or_else(|| {
            Failure::new(Exit::NotFound, "there is no remote")
                .hint("`co identity remote URL` names one")
        })?;
        Ok(Output::data(format!("{}\n", safe(&url)), json!({ "url": url })))
    }
}
