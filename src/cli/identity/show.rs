//! `co identity show`: arguments and output. The verb is `transfer::restore`.

use crate::cli::{
    failure::Failure,
    output::Output,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Foreign, Said, said};
use crate::machine::folder;
use crate::transfer::restore;
use clap::Args;
use serde_json::json;

/// `co identity show`
#[derive(Args, Debug)]
pub struct Show {
    /// A file of the identity (profile.md), or its version in a commit (HEAD~3:profile.md)
    #[arg(value_name = "[REV:]PATH")]
    path: Option<String>,
}

impl Verb for Show {
    fn name(&self) -> &'static str {
        "identity show"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let store = cli.ws.identity()?;
        let Some(path) = self.path else {
            let listed = folder::list(&store.root, "").files;
            let names: Vec<String> = listed.iter().map(|file| file.path.to_string()).collect();
            let text: Said = names.iter().map(|name| said!("  {}\n", name)).collect();
            let exact = Some(names.iter().map(|name| format!("{name}\n")).collect());
            let data = json!({ "files": names });
            return Ok(Output { exact, ..Output::unbroken(text, data) });
        };
        let blob = restore::read_file(cli.ws, store, &path)?;
        let text = String::from_utf8_lossy(&blob).into_owned();
        let data = json!({ "path": path, "content": text });
        let shown = Foreign(&text).quote("  ");
        Ok(Output { exact: Some(text), ..Output::data(shown, data) })
    }
}
