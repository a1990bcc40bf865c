//! `co seal export-key`: arguments and output. The verb is `transfer::seal::export`.

use crate::cli::{
    failure::{Exit, Failure},
    output::Output,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::machine::seal_keys;
use crate::transfer::seal::{SealError, export};
use clap::Args;
use serde_json::json;

/// `co seal export-key`
#[derive(Args, Debug)]
pub struct ExportKey {
    /// Write the keys to a new file that only you can read
    #[arg(long, value_name = "FILE")]
    key_out: Option<String>,
    /// Print them on this terminal
    #[arg(long, conflicts_with = "key_out")]
    show: bool,
}

impl Verb for ExportKey {
    fn name(&self) -> &'static str {
        "seal export-key"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if self.key_out.is_none() && !self.show {
            return Err(Failure::new(
                Exit::Declined,
                "whoever has these keys can read everything on the remote",
            )
            .hint("`--key-out FILE` writes them to a new file; `--show` prints them"));
        }
        let keys = export::run(cli.ws)?;
        let text = String::from_utf8_lossy(keys.expose()).into_owned();
        let Some(out) = &self.key_out else {
            return Ok(Output::exact(text.clone(), json!({ "keys": text })));
        };
        let path = cli.ws.typed_path(out);
        let shown = cli.ws.shown(&path);
        if !seal_keys::write_key(&path, text.trim_end())? {
            return Err(SealError::FileThere { path: shown }.into());
        }
        let text = said!(
            "{} The keys are in {}; `age --decrypt -i {}` opens each pack.\n",
            cli.style.learned("✓"),
            shown,
            shown
        );
        Ok(Output::done(text, json!({ "file": shown })))
    }
}
