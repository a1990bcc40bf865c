//! Builds a verb's clap arguments only when that verb is used, to keep start-up fast.
//!
//! Invariant: parses and explains as the arguments themselves do. Must not know: the verbs.

use super::{
    output::Output,
    verb::{Cli, Needs, Verb},
};
use crate::cli::failure::Failure;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};

/// The arguments of a verb, or the verbs of a group.
#[derive(Debug)]
pub struct Deferred<T>(pub(super) T);

impl<T: Verb> Verb for Deferred<T> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn needs(&self) -> Needs {
        self.0.needs()
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        self.0.run(cli)
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| explained_as_before(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: Subcommand> Subcommand for Deferred<T> {
    fn augment_subcommands(command: Command) -> Command {
        command.defer(|command| explained_as_before(command, T::augment_subcommands))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        T::augment_subcommands_for_update(command)
    }

    fn has_subcommand(name: &str) -> bool {
        T::has_subcommand(name)
    }
}

/// A verb's description in the list of verbs takes precedence over the one of its arguments,
/// although the latter are added later.
fn explained_as_before(command: Command, augment: impl Fn(Command) -> Command) -> Command {
    let about = command.get_about().cloned();
    let command = augment(command);
    match about {
        Some(about) => command.about(about).long_about(None),
        None => command,
    }
}
