//! `co knowledge add`

use crate::cli::{
    args::{Allow, ScopeArg, scope},
    complete,
    output::Output,
    progress::waiting,
    style::Style,
    verb::{Cli, Needs, Verb},
};
use crate::display::knowledge;
use crate::foreign::{Said, said};
use crate::ops::{
    Failure,
    knowledge::add::{self, Source},
};
use crate::system::{extractor, fetch::Reach, files};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;
use std::path::PathBuf;

pub(super) const HELP: &str = "Its text becomes a document below articles/, with its title, where \
    it came from, and the path of the original, which is kept in knowledge/attachments/ byte for \
    byte; markdown, plain text and code are kept as the document alone. Read are PDF, HTML, DOCX, \
    EPUB, markdown, text in any encoding, and code.\n\
    \n\
    A file is read by a process of its own, with 10 seconds and 300 MiB. A URL is fetched by curl, \
    through at most five redirects, and not from this machine or its network. The same page \
    again updates its document, a file does with --topic. Originals are in the repository of every laptop: the limit is 20 \
    MiB, `{\"knowledge\": {\"attachment_mib\": 64}}` in settings.json is the most.";

/// In bytes.
const MOST_INPUT: u64 = 64 * 1024 * 1024;

/// `co knowledge add`
#[derive(Args, Debug)]
pub struct Add {
    /// A file, a URL, or `-` for standard input
    #[arg(value_name = "FILE|URL")]
    pub what: String,
    /// The topic (default: articles/ and the title)
    #[arg(long, value_name = "TOPIC")]
    pub topic: Option<String>,
    /// Its title (default: what it calls itself)
    #[arg(long)]
    pub title: Option<String>,
    /// A tag, or several: a,b
    #[arg(short, long = "tag", visible_alias = "tags", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// With `-`: the name of the file, for its ending
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// With `-`: where it came from
    #[arg(long, value_name = "URL")]
    pub source: Option<String>,
    /// Where it belongs (default: the project when inside one)
    #[arg(long)]
    pub scope: Option<ScopeArg>,
    /// Fetch also from this machine and its network
    #[arg(long)]
    pub allow_private: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Add {
    fn name(&self) -> &'static str {
        "knowledge add"
    }

    fn needs(&self) -> Needs {
        Needs::KNOWLEDGE
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let is_url = self.what.contains("://");
        let source = match self.what.as_str() {
            "-" => {
                let bytes = files::read_stdin(MOST_INPUT)?;
                Source::Given { bytes, name: self.name, from: self.source }
            }
            url if is_url => Source::Url(url.to_owned()),
            file => Source::File(PathBuf::from(file)),
        };
        let request = add::Request {
            source,
            topic: self.topic,
            title: self.title,
            tags: self.tags,
            scope: scope(self.scope),
            reach: if self.allow_private { Reach::Anywhere } else { Reach::Public },
            allowed: self.allow.rules()?,
        };
        let what = if is_url { "Fetching…" } else { "Reading…" };
        let report = waiting(cli, what, || add::run(cli.context, &request))?;
        let warnings = pictures(&report.pictures).into_iter().collect();
        Ok(Output { warnings, ..Output::done(added(&report, cli), report) })
    }
}

/// Pages that a warning names.
const MOST_PAGES: usize = 5;

/// What is said of pages that were not read.
fn pictures(pages: &[u32]) -> Option<String> {
    let named: Vec<String> = pages.iter().take(MOST_PAGES).map(u32::to_string).collect();
    let named = named.join(", ");
    let more = pages.len().saturating_sub(MOST_PAGES);
    match (pages.len(), more) {
        (0, _) => None,
        (1, _) => Some(format!("page {named} gave almost no text; it may be a scan")),
        (_, 0) => Some(format!("pages {named} gave almost no text; they may be scans")),
        _ => Some(format!("pages {named} and {more} more gave almost no text; they may be scans")),
    }
}

fn added(report: &add::Report, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let said = style.ticked(&knowledge::added(report), Style::learned);
    let format = format!("{:?}", report.format).to_lowercase();
    let kept = report
        .attachment
        .as_ref()
        .map_or_else(Said::new, |path| said!("  original {}", cli.context.shown(path)));
    let about = said!("\"{}\"  {}, {} bytes of text{}", report.title, format, report.text, kept);
    said!("{}\n  {}\n", said, style.dim(&about))
}

/// `co knowledge extract`: what reads a file for `add`, in a process of its own.
#[derive(Args, Debug)]
pub struct Extract {}

impl Verb for Extract {
    fn name(&self) -> &'static str {
        "knowledge extract"
    }

    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    fn run(self, _: &Cli<'_>) -> Result<Output, Failure> {
        extractor::answer();
        Ok(Output::unbroken(Said::new(), json!({})))
    }
}
