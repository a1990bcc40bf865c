//! `co upgrade`: arguments and output. The verb is `upkeep::upgrade`.

use super::{
    failure::Failure,
    output::Output,
    verb::{Cli, Needs, Verb},
    version::VERSION,
};
use crate::foreign::{Said, said};
use crate::upkeep::upgrade::{self, Report, Way};
use clap::Args;

pub(super) const HELP: &str = "\
    Fetches and changes nothing: it tells from where the program is how it was installed, and prints \
    the commands for that. The identity stays as it is, and laptops with an older co still read it \
    (docs/upgrade-and-leave.md).";

/// `co upgrade`
#[derive(Args, Debug)]
pub struct Upgrade {}

impl Verb for Upgrade {
    fn name(&self) -> &'static str {
        "upgrade"
    }

    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = upgrade::run(cli.ws);
        Ok(Output::data(told(&report, cli), report))
    }
}

fn told(report: &Report, cli: &Cli<'_>) -> Said {
    let way = match report.way {
        Way::Cargo => "installed by cargo",
        Way::CargoFromClone => "built from a clone and installed by cargo",
        Way::Clone => "built in a clone",
        Way::Homebrew => "installed by Homebrew",
        Way::Debian => "installed as a Debian package",
        Way::Download => "downloaded as a program",
        Way::System => "installed by a package manager of this system: upgrade it with that one",
    };
    let program = cli.ws.shown(&report.program);
    let mut text = said!("co {}, {} ({})\n", VERSION, way, program);
    for command in &report.commands {
        text.push(said!("  {}\n", command));
    }
    if report.way == Way::Download && report.commands.is_empty() {
        text.push("There are no releases yet: `scripts/start.sh` in a clone of co builds it.\n");
    }
    if report.builds {
        text.push("The first build takes 6 to 13 minutes on two cores, later ones less.\n");
    }
    text.push("Your identity stays as it is. Agents use the new co from their next start.\n");
    text
}
