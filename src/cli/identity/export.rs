//! `co identity export`: arguments and output. The verb is `transfer::export`.

use crate::cli::{
    args::Allow,
    failure::Failure,
    output::Output,
    progress::Bar,
    style::{Style, plural},
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::machine::Context;
use crate::transfer::export;
use clap::{Args, ValueEnum};

pub(in crate::cli) const HELP: &str = "\
    Without a path, writes co-identity-DATE.tar.gz to the current folder. Never replaces a file \
    unless it is an earlier export. Settings, databases, caches, sessions and keys are never \
    included. The export is read back and compared before co reports success.\n\
    \n\
    Examples:\n  \
    co identity export ~/Desktop/my-co.tar.gz\n  \
    co identity export --format dir ~/co-backup/";

/// `co identity export`
#[derive(Args, Debug)]
pub struct Export {
    /// The file or folder to write
    pub path: Option<String>,
    /// An archive, or a plain folder
    #[arg(long, value_enum, default_value = "tar.gz")]
    pub format: ExportFormat,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

/// The forms of an export.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// One gzipped tar archive.
    #[value(name = "tar.gz")]
    TarGz,
    /// A folder.
    Dir,
}

impl Verb for Export {
    fn name(&self) -> &'static str {
        "identity export"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let format = match self.format {
            ExportFormat::TarGz => export::Format::TarGz,
            ExportFormat::Dir => export::Format::Dir,
        };
        let request = export::Request { path: self.path, format, allowed: self.allow.rules()? };
        let bar = Bar::new("Exporting", cli.err);
        let report = export::run(cli.ws, &request, &|done, of| bar.moved(done, of))?;
        bar.end();
        let text = exported(&report, cli.ws, cli.style);
        let mut output = Output::done(text, report.clone()).skipped(&report.findings);
        if !report.left_out.is_empty() {
            let names = report.left_out.join(", ");
            output.warnings.push(format!("left out, as specific to this laptop: {names}"));
        }
        Ok(output)
    }
}

fn exported(report: &export::Report, context: &Context, style: Style) -> Said {
    let size = if report.bytes < 10_240 {
        said!("{} bytes", report.bytes)
    } else {
        said!("{} KiB", report.bytes / 1024)
    };
    let memories = plural(report.memories, "fact", "facts");
    let place = context.shown(&report.path);
    said!(
        "{} Exported {} in {} to {} ({}), read back and verified.\nOn the other laptop: `co diff \
         FILE`, `co identity import FILE`.\n",
        style.learned("✓"),
        memories,
        plural(report.files, "file", "files"),
        place,
        size
    )
}
