//! `co sync --every`: what is typed, and what was set up. The verb is `integrations::timer`.

use crate::cli::{failure::Failure, output::Output, verb::Cli};
use crate::foreign::{Foreign, Said, said};
use crate::integrations::timer::{self, Interval, Report, System, Written};

/// Precedes each line of a file that was written.
const MARGIN: &str = "      │ ";

/// How often to sync from now on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Every {
    Off,
    Each(Interval),
}

pub(super) fn typed(text: &str) -> Result<Every, String> {
    match text {
        "off" | "never" => Ok(Every::Off),
        span => Interval::parse(span).map(Every::Each),
    }
}

pub(super) fn run(cli: &Cli<'_>, every: Every) -> Result<Output, Failure> {
    let report = match every {
        Every::Off => timer::remove(cli.ws)?,
        Every::Each(interval) => timer::install(cli.ws, interval)?,
    };
    Ok(Output::done(told(&report, cli), report))
}

fn told(report: &Report, cli: &Cli<'_>) -> Said {
    let mark = cli.style.learned("✓");
    let Some(system) = report.system else {
        return Said::from("This laptop does not sync by itself.\n");
    };
    let mut text = match &report.every {
        Some(_) => said!(
            "{} This laptop now syncs by itself every {}, through {}.\n",
            mark,
            report.in_words,
            system.in_words()
        ),
        None => said!("{} Removed: this laptop does not sync by itself any more.\n", mark),
    };
    report.files.iter().for_each(|written| text.push(file(written, system, cli)));
    for command in &report.ran {
        text.push(said!("  {} {}\n", cli.style.dim("run        "), command));
    }
    if report.every.is_some() {
        text.push("To stop: `co sync --every off`. `co status` says when it last worked.\n");
    }
    text
}

/// A file with its lines, which a person should be able to read before it runs.
fn file(written: &Written, system: System, cli: &Cli<'_>) -> Said {
    let what = cli.style.dim(said!("{:<11}", written.what));
    let name = match system {
        System::Cron => "your crontab".to_owned(),
        _ => cli.ws.shown(&written.file),
    };
    said!("  {} {}\n", what, name) + &Foreign(&written.text).quote(MARGIN)
}
