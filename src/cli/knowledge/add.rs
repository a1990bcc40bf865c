//! `co knowledge add`: arguments and output. The verb is `documents::add`. Also the hidden `co
//! knowledge extract`, which reads a file for it in a process of its own.

use crate::cli::{
    args::{Allow, scope},
    complete,
    failure::Failure,
    output::Output,
    progress::{Bar, waiting},
    prompt,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::display::knowledge;
use crate::documents::{
    KnowledgeError,
    add::{self, Source},
    write::Written,
};
use crate::foreign::{Said, said};
use crate::index::store::Scope;
use crate::knowledge::Topic;
use crate::machine::{extractor, fetch::AddressPolicy, files};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;
use std::{collections::BTreeMap, path::PathBuf};

pub(super) const HELP: &str = "The text becomes a document below articles/, with its title, where \
    it came from, and the path of the original, which is kept in knowledge/attachments/ byte for \
    byte; of markdown, plain text and code, only the document is kept. Formats: PDF, HTML, DOCX, \
    ODT, PPTX, XLSX, EPUB, markdown, text in any encoding, code, and pictures: the text of a \
    picture is its --caption, or else the description or title of an SVG; if there is none, co \
    asks for a caption on a terminal.\n\
    \n\
    The files of a folder get topics from their paths, and links between them are adjusted. Code, \
    pictures, links and hidden files are skipped and counted. If a text shows a picture that has \
    already been added, its document shows the stored original; other pictures are named: add \
    them, then the text again. A file that cannot be added does not stop the others, and one \
    `co undo` undoes everything.\n\
    \n\
    Adding the same file or page again updates its document, unless that was edited since. Each \
    file is read by a separate process, limited to 10 seconds and 300 MiB. A URL is fetched \
    with at most five redirects, without a proxy, and not from this laptop or its network. \
    Originals are stored in the repository on every laptop: the limit for each is 20 MiB, and `co \
    config set knowledge.attachment_mib 64` sets it to the maximum.";

/// Limit for standard input in bytes.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

/// `co knowledge add`
#[derive(Args, Debug)]
pub struct Add {
    /// Files, folders, URLs, or `-` for standard input
    #[arg(value_name = "FILE|FOLDER|URL", required = true)]
    pub what: Vec<String>,
    /// The topic (default: articles/ and the title); for several, the folder to put them in
    #[arg(long, value_name = "TOPIC")]
    pub topic: Option<String>,
    /// Its title (default: the one it contains)
    #[arg(long)]
    pub title: Option<String>,
    /// A tag, or several: a,b
    #[arg(short, long = "tag", visible_alias = "tags", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// What the picture shows; searches find it by this text
    #[arg(long, value_name = "TEXT")]
    pub caption: Option<String>,
    /// With `-`: the name of the file, for its extension
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// With `-`: where it came from
    #[arg(long, value_name = "URL")]
    pub source: Option<String>,
    /// Where it belongs (default: the project when inside one)
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// Also fetch from this laptop and its network
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
        let is_url = |what: &String| what.contains("://");
        let (name, from) = (self.name, self.source);
        let source = |what: &String| {
            Ok(match what.as_str() {
                "-" => Source::Given {
                    bytes: files::read_stdin(MAX_INPUT)?,
                    name: name.clone(),
                    from: from.clone(),
                },
                url if is_url(what) => Source::Url(url.to_owned()),
                file => Source::File(PathBuf::from(file)),
            })
        };
        let sources: Result<Vec<Source>, Failure> = self.what.iter().map(source).collect();
        let is_one = matches!(&self.what[..], [one] if !files::is_dir(&cli.ws.cwd.join(one)));
        let mut request = add::Request {
            sources: sources?,
            topic: self.topic,
            title: self.title,
            tags: self.tags,
            caption: self.caption,
            scope: self.scope,
            reach: if self.allow_private { AddressPolicy::Anywhere } else { AddressPolicy::Public },
            allowed: self.allow.rules()?,
        };
        let what = if self.what.iter().any(is_url) { "Fetching…" } else { "Reading…" };
        let bar = Bar::new("Reading", cli.err);
        let run = || add::run(cli.ws, &request, &|done, of| bar.moved(done, of));
        let report = if is_one { waiting(cli, what, run) } else { run() };
        bar.end();
        let report = match report {
            Err(error) if is_one && cli.asks && KnowledgeError::lacks_caption(&error) => {
                request.caption = Some(prompt::caption()?);
                add::run(cli.ws, &request, &|_, _| {})?
            }
            report => report?,
        };
        let text = match (is_one, report.documents.first()) {
            (true, Some(one)) => one_added(one, cli),
            _ => all_added(&report, cli),
        };
        let mut warnings: Vec<String> =
            report.documents.iter().flat_map(|one| warnings(one, is_one)).collect();
        warnings.extend(not_shown(&report.documents));
        warnings.extend(omitted(&report.documents, is_one));
        let failed = report.failed.iter().map(|failed| failed.message.trim_end_matches('.'));
        warnings.extend(failed.clone().take(MAX_FAILED).map(str::to_owned));
        let more = report.failed.len().saturating_sub(MAX_FAILED);
        warnings.extend((more > 0).then(|| format!("{more} more were not added")));
        let ending = report.error().into();
        Ok(Output { warnings, ending, ..Output::done(text, report) })
    }
}

/// How many failed files are listed with their reason.
const MAX_FAILED: usize = 20;

/// How many documents are listed whose pictures were not added.
const MAX_NOT_SHOWN: usize = 20;

/// The documents that show pictures that were not added, one a line.
fn not_shown(documents: &[add::Added]) -> Vec<String> {
    let mut lines: Vec<String> = documents.iter().filter_map(knowledge::not_shown).collect();
    let more = lines.len().saturating_sub(MAX_NOT_SHOWN);
    lines.truncate(MAX_NOT_SHOWN);
    lines.extend((more > 0).then(|| format!("{more} more with pictures that were not added")));
    lines
}

/// Warnings about what could not be read in a file.
fn warnings(added: &add::Added, is_one: bool) -> Vec<String> {
    let whose = if is_one { String::new() } else { format!("{}: ", added.topic) };
    knowledge::unread(added).map(|said| format!("{whose}{said}")).collect()
}

/// What was left out of the new texts on purpose, in one sentence for all of them.
fn omitted(documents: &[add::Added], is_one: bool) -> Option<String> {
    let (count, kinds) = knowledge::omitted(documents)?;
    Some(match count {
        _ if is_one => format!("left out of the text: {kinds}"),
        1 => format!("left out of the text of 1 document: {kinds}"),
        count => format!("left out of the text of {count} documents: {kinds}"),
    })
}

fn one_added(added: &add::Added, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let said = style.ticked(&knowledge::added(added), Style::learned);
    let kept = added
        .attachment
        .as_ref()
        .map_or_else(Said::new, |path| said!("  original {}", cli.ws.shown(path)));
    let format = added.format.name();
    let about = said!("\"{}\"  {}, {} bytes of text{}", added.title, format, added.text, kept);
    let own = knowledge::own_labels(&added.own_labels);
    let own = own.map_or_else(Said::new, |own| said!("  {}\n", style.dim(&own)));
    said!("{}  {}\n", said, style.dim(&about)) + own
}

/// How many documents of a kind, and skipped files, are listed.
const MAX: usize = 5;

fn all_added(report: &add::Report, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let of = |written: Written| -> Vec<&add::Added> {
        report.documents.iter().filter(|one| one.written == written).collect()
    };
    let (new, updated, same) = (of(Written::Created), of(Written::Updated), of(Written::Unchanged));
    let bytes: usize = new.iter().map(|one| one.text).sum();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    new.iter().for_each(|one| *counts.entry(one.format.name()).or_default() += 1);
    let kinds: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let mut text = match (new.len(), updated.len()) {
        (0, 0) if same.is_empty() && report.failed.is_empty() => {
            Said::from("Nothing to add: no file that co can read.\n")
        }
        (0, 0) if same.is_empty() => Said::new(),
        (0, 0) => {
            said!("Nothing new; {} unchanged.\n", plural(same.len(), "document", "documents"))
        }
        (0, _) => Said::new(),
        (count, _) => said!(
            "{} Added {}: {} ({} of text)\n",
            style.learned("✓"),
            plural(count, "document", "documents"),
            kinds.join(", "),
            size(bytes)
        ),
    };
    named(&mut text, &new, style);
    if !updated.is_empty() {
        let count = plural(updated.len(), "document", "documents");
        text.push(said!("{} Updated {}\n", style.learned("✓"), count));
        named(&mut text, &updated, style);
    }
    if !same.is_empty() && new.len() + updated.len() > 0 {
        text.push(said!("  {}\n", style.dim(said!("{} unchanged", same.len()))));
    }
    text.push(left_out(report, style));
    if !report.gone.is_empty() {
        let count = plural(report.gone.len(), "document", "documents");
        let mut named: Vec<String> = report.gone.iter().take(MAX).map(Topic::to_string).collect();
        named.extend((report.gone.len() > MAX).then(|| "…".to_owned()));
        let line = said!("kept {} whose files are gone: {}", count, named.join(", "));
        text.push(said!("  {}\n", style.dim(&line)));
    }
    let changed = new.len() + updated.len();
    let undo = if changed > 0 { "Undo: `co undo`.\n" } else { "" };
    text + undo
}

fn left_out(report: &add::Report, style: Style) -> Said {
    if report.left_out.is_empty() {
        return Said::new();
    }
    let all: usize = report.left_out.iter().map(|left| left.count).sum();
    let mut left: Vec<&add::LeftOut> = report.left_out.iter().collect();
    left.sort_by_key(|left| std::cmp::Reverse(left.count));
    let shown = |left: &&add::LeftOut| format!("{} {}", left.count, left.why);
    let mut reasons: Vec<String> = left.iter().take(MAX).map(shown).collect();
    reasons.extend((left.len() > MAX).then(|| "…".to_owned()));
    let any = |is_of: fn(&add::LeftOut) -> bool| report.left_out.iter().any(is_of);
    let advice = if any(add::LeftOut::may_have_text) {
        "; to add one that has text, name it"
    } else if any(add::LeftOut::are_pictures) {
        "; to add a picture, name it and give its `--caption`"
    } else {
        ""
    };
    let files = plural(all, "file", "files");
    let line = said!("skipped {}: {}{}", files, reasons.join(", "), advice);
    said!("  {}\n", style.dim(&line))
}

fn named(text: &mut Said, documents: &[&add::Added], style: Style) {
    let width = documents.iter().take(MAX).map(|one| one.topic.to_string().chars().count()).max();
    for one in documents.iter().take(MAX) {
        let topic = Said::column(&one.topic.to_string(), width.unwrap_or(0));
        text.push(said!("  {}  {}\n", topic, style.dim(said!("{}", one.title))));
    }
    text.extend(style.more(documents.len(), MAX).map(|more| said!("  {}\n", more)));
}

/// `340 KiB`
fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KiB", bytes / 1024),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
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
