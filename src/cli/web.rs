//! `co web`: arguments and output.

use super::{
    explain,
    failure::{Exit, Failure},
    json,
    output::Output,
    own_documents,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::machine::local_server::open_browser;
use crate::web::{Envelope, Offer, PageAccess, Site};
use clap::Args;
use serde_json::Value;

pub(super) const HELP: &str = "The page can be reached only from this laptop. The printed address \
    works once and expires after a minute; after that, only that browser is let in. The page does what \
    the command line does, with the same guards; `co log` says \"by web\", and `co undo` undoes \
    it.\n\
    \n\
    The server stops on Ctrl-C, when its terminal closes, or after 30 minutes without use.";

/// `co web`
#[derive(Args, Debug)]
pub struct Web {
    /// Listen on this port (default: a free one)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Print the address, but do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Show everything and change nothing
    #[arg(long)]
    read_only: bool,
}

impl Verb for Web {
    fn name(&self) -> &'static str {
        "web"
    }

    fn needs(&self) -> Needs {
        Needs::Later
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let access = if self.read_only { PageAccess::ReadOnly } else { PageAccess::ReadWrite };
        let envelope = Envelope {
            success: |command, data| json::success(command, data, &[]),
            failure: |command, error| {
                json::failure(command, &Value::Null, &[], &explain::explain_on_page(&error))
            },
        };
        let offer = Offer { access, envelope, docs: own_documents::all() };
        let site = Site::open(self.port).map_err(|error| {
            Failure::new(Exit::Other, said!("port {} cannot be used: {}", self.port, error))
                .hint("omit `--port` to use a free one")
        })?;
        let address = site.address();
        let is_opened = !self.no_open && open_browser(cli.ws, &address);
        super::output::say(&announced(&address, is_opened));
        site.serve(cli.ws.context().clone().for_many_answers(), offer)
            .map_err(|error| Failure::new(Exit::Other, format!("the page stopped: {error}")))?;
        Ok(Output::unbroken(Said::new(), Value::Null))
    }
}

fn announced(address: &str, is_opened: bool) -> Said {
    let what = if is_opened { "Opened in your browser" } else { "Open this in a browser" };
    said!("{} (works once, for a minute): {}\nCtrl-C stops it.\n", what, address)
}
