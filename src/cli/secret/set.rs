//! `co secret set`: arguments and output. The verb is `integrations::secret`.

use crate::cli::{
    complete,
    failure::{Exit, Failure},
    output::Output,
    prompt,
    verb::{Cli, Verb},
};
use crate::foreign::said;
use crate::integrations::secret;
use crate::machine::files;
use crate::secrets::reference;
use crate::workspace::ErrorKind;
use clap::Args;
use clap_complete::ArgValueCandidates;
use std::io::IsTerminal;

pub(super) const HELP: &str = "\
    The value is kept in this laptop's keyring (service `co-cli`, the name as user), where \
    `secret-tool lookup service co-cli username NAME` finds it, too. It is never synced; the \
    identity only mentions {{secret:NAME}}. CO_SECRET_NAME in the environment overrides the \
    keyring (`staging-token` is CO_SECRET_STAGING_TOKEN).\n\
    \n\
    Examples:\n  \
    co secret set staging-token              asks\n  \
    pass show staging | co secret set staging-token";

/// Limit for a pipe in bytes; above the limit of a value, so that the refusal can state that.
const MAX_INPUT: u64 = 1024 * 1024;

/// `co secret set`
#[derive(Args, Debug)]
pub struct Set {
    /// Its name, e.g. `staging-token`
    #[arg(add = ArgValueCandidates::new(complete::secret_names))]
    name: String,
    /// Never put it here: every program can read the command line
    #[arg(hide = true, num_args = 0.., allow_hyphen_values = true, trailing_var_arg = true)]
    value: Vec<std::ffi::OsString>,
}

impl Verb for Set {
    fn name(&self) -> &'static str {
        "secret set"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let name = self.name.as_str();
        secret::sound_name(name)?;
        if !self.value.is_empty() {
            return Err(Failure::new(
                Exit::Usage,
                "a value must not be on the command line, where every program can read it; \
                 nothing was stored",
            )
            .hint(said!(
                "`co secret set {}` asks for it; `… | co secret set {}` reads it from a pipe",
                name,
                name
            ))
            .hint(
                "if that was a real secret, revoke it and create a new one: it is in your shell's \
                 history now",
            ));
        }
        let value = if std::io::stdin().is_terminal() {
            if !cli.asks {
                return Err(Failure::new(
                    Exit::Declined,
                    "the value must be typed on a terminal, or read from a pipe",
                )
                .hint(said!("`… | co secret set {}`", name)));
            }
            // Checked before the value is typed: there must be a keyring to store it.
            if let Err(error) = secret::list(cli.ws)
                && error.kind() == ErrorKind::NotSetUp
            {
                return Err(error.into());
            }
            prompt::hidden(&said!("Value of {}", name))?.into_bytes()
        } else {
            files::read_stdin(MAX_INPUT)?
        };
        let stored = secret::set(cli.ws, name, value)?;
        let verb = if stored.replaced { "Replaced" } else { "Stored" };
        let text = said!(
            "{} {} {} in the keyring. Where it is needed, write {{{{secret:{}}}}}.\n",
            cli.style.learned("✓"),
            verb,
            name,
            name
        );
        let mut output = Output::done(text, stored.clone());
        if stored.overridden {
            let variable = reference::variable(name);
            output
                .warnings
                .push(format!("{variable} is set in the environment and overrides the keyring"));
        }
        Ok(output)
    }
}
