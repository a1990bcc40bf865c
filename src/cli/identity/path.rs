//! `co identity path`: arguments and output.

use crate::cli::failure::Failure;
use crate::cli::{
    output::Output,
    verb::{Cli, Verb},
};
use clap::Args;
use serde_json::json;

/// `co identity path`
#[derive(Args, Debug)]
pub struct Path {}

impl Verb for Path {
    fn name(&self) -> &'static str {
        "identity path"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let identity = &cli.ws.identity;
        let path = identity.path.display().to_string();
        let data =
            json!({ "path": path, "source": identity.source, "resolved": identity.resolved });
        Ok(Output::exact(format!("{path}\n"), data))
    }
}
