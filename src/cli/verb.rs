//! The interface of all verbs: arguments that know how to run.
//!
//! Invariant: a verb is in one file, with its arguments, its run and its output; the only other
//! place that lists it is a row of its group, or of `commands`.

use super::{failure::Failure, output::Output, style::Style};
use crate::machine::settings::Section;
use crate::workspace::Workspace;

pub(super) struct Cli<'a> {
    pub(super) ws: &'a Workspace,
    pub(super) style: Style,
    pub(super) err: Style,
    /// Whether there is a person who can be asked, and who did not ask for JSON.
    pub(super) asks: bool,
    /// Whether that person wants to see progress.
    pub(super) chatty: bool,
    pub(super) verbose: bool,
    /// What was typed after `--layer`.
    pub(super) layers: &'a [String],
    /// Builds the whole command line, for help, man pages and completions.
    pub(super) definition: Definition,
    pub(super) overview: Overview,
}

/// Builds the whole command line. Passed down, because it lists every verb.
pub(super) type Definition = fn() -> clap::Command;

/// Headings, each with the names of its commands.
pub(super) type Overview = &'static [(&'static str, &'static [&'static str])];

/// What a verb needs from settings.json.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Needs {
    /// Nothing: the verb works with broken settings, and reports them itself.
    Nothing,
    /// A server checks them on each call.
    Later,
    /// Defaults replace unusable values, with a warning.
    Defaults,
    /// The verb fails if one of these sections is unusable.
    These(&'static [Section]),
}

impl Needs {
    pub(super) const PLACE: Needs = Needs::These(&[Section::Place]);
    pub(super) const SYNC: Needs = Needs::These(&[Section::Place, Section::Sync]);
    pub(super) const KNOWLEDGE: Needs = Needs::These(&[Section::Place, Section::Knowledge]);
}

pub(super) trait Verb {
    /// The name in the JSON envelope.
    fn name(&self) -> &'static str;

    fn needs(&self) -> Needs {
        Needs::PLACE
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure>;
}

/// A group of verbs: each variant contains the arguments of one, whose file does the rest.
macro_rules! group {
    (
        $(#[$about:meta])*
        $vis:vis enum $group:ident { $($(#[$row:meta])* $variant:ident($verb:ty)),+ $(,)? }
    ) => {
        $(#[$about])*
        #[derive(clap::Subcommand, Debug)]
        $vis enum $group { $($(#[$row])* $variant($verb)),+ }

        impl $crate::cli::verb::Verb for $group {
            fn name(&self) -> &'static str {
                match self { $($group::$variant(verb) => verb.name(),)+ }
            }

            fn needs(&self) -> $crate::cli::verb::Needs {
                match self { $($group::$variant(verb) => verb.needs(),)+ }
            }

            fn run(
                self,
                cli: &$crate::cli::verb::Cli<'_>,
            ) -> Result<$crate::cli::output::Output, $crate::cli::failure::Failure> {
                match self { $($group::$variant(verb) => verb.run(cli),)+ }
            }
        }
    };
}
pub(super) use group;
