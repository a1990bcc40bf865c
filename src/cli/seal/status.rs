//! `co seal status`: arguments and output. The verb is `transfer::seal::status`.

use crate::cli::{
    ago::since,
    failure::Failure,
    output::Output,
    style::plural,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::transfer::seal::status::{self, KeyPlace, Report};
use clap::Args;

/// In microseconds.
const HOUR: i64 = 3_600_000_000;

/// `co seal status`
#[derive(Args, Debug)]
pub struct Status {}

impl Verb for Status {
    fn name(&self) -> &'static str {
        "seal status"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = status::run(cli.ws)?;
        Ok(Output::data(screen(&report), report))
    }
}

fn screen(report: &Report) -> Said {
    let mut text = said!("    remote  {} ({}), sealed\n", report.remote, report.url);
    let key = match &report.key {
        KeyPlace::Keyring => Said::from("in the keyring of this laptop"),
        KeyPlace::Environment => Said::from("CO_SEAL_KEY"),
        KeyPlace::Missing => Said::from("none on this laptop: `co seal add`"),
        KeyPlace::Unknown(why) => said!("{}", why),
    };
    text.push(said!("       key  {}\n", key));
    if !report.plain.is_empty() {
        let names = report.plain.join(", ");
        text.push(said!("     plain  {}: what git pushes there can be read\n", names));
    }
    let tried = match (&report.recovery_tried, report.seen.as_ref().is_some_and(|s| s.passphrase)) {
        (Some(at), _) => said!("tried on {}", at.split('T').next().unwrap_or_default()),
        (None, true) => Said::from("never tried here, nor the passphrase: `co seal recovery`"),
        (None, false) => Said::from("never tried here: `co seal recovery`"),
    };
    text.push(said!("  recovery  {}\n", tried));
    let Some(seen) = &report.seen else {
        text.push("    pushes  none yet: `co sync`\n");
        return text;
    };
    let pushes = plural(usize::try_from(seen.pushes).unwrap_or(usize::MAX), "push", "pushes");
    text.push(said!("    pushes  {} seen, key {}\n", pushes, seen.epoch));
    if seen.laptops.is_empty() {
        text.push("    laptop  none has a key of its own: only the recovery key opens it\n");
    }
    for laptop in &seen.laptops {
        let this = if laptop.this { " (this one)" } else { "" };
        let heard = match laptop.heard_ago {
            // Times on the remote are those of the hour.
            Some(ago) if ago < HOUR => Said::from("last heard of in the last hour"),
            Some(ago) => said!("last heard of {}", since(ago)),
            None => Said::from("has not pushed yet"),
        };
        text.push(said!("    laptop  {}{}, {}\n", laptop.name, this, heard));
    }
    text
}
