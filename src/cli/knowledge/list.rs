//! `co knowledge list` and `co knowledge tree`: arguments and output. The verb is
//! `documents::list`.

use crate::cli::{
    args::{named, scope},
    complete,
    failure::Failure,
    output::Output,
    own_documents,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::display::{knowledge, topic_handle};
use crate::documents::list::{self, Among, DocumentRow, Report};
use crate::foreign::{Said, said};
use crate::identity::LayerName;
use crate::index::store::Scope;
use crate::knowledge::{
    Namespace,
    placement::{self, OneWord},
};
use clap::{Args, builder::TypedValueParser};
use clap_complete::ArgValueCandidates;
use std::collections::BTreeMap;

/// Which documents are meant.
#[derive(Args, Debug, Default, Clone)]
pub struct AmongArgs {
    /// Only documents with this label (tag, type, status, topic, entity); if repeated, with all of
    /// them
    #[arg(short, long = "tag", value_name = "LABEL", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// Only documents from this source: user, seed, url …
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// Only documents below this folder: people, projects/carmenta
    #[arg(long = "in", value_name = "FOLDER")]
    pub below: Option<String>,
    /// Only documents of this namespace
    #[arg(long, value_name = "NAME", value_parser = namespace())]
    pub namespace: Option<Namespace>,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
}

fn namespace() -> impl TypedValueParser<Value = Namespace> {
    named([
        (Namespace::Profile, Namespace::Profile.name(), "Who you are; in every context"),
        (Namespace::Knowledge, Namespace::Knowledge.name(), "What you know"),
        (Namespace::Docs, Namespace::Docs.name(), "co's own documentation"),
    ])
}

impl AmongArgs {
    pub(super) fn among(self) -> Among {
        Among {
            scope: self.scope,
            labels: self.tags,
            source: self.source,
            below: self.below,
            namespace: self.namespace,
            only: None,
        }
    }
}

/// `co knowledge list`
#[derive(Args, Debug)]
pub struct List {
    /// Which.
    #[command(flatten)]
    pub among: AmongArgs,
}

impl Verb for List {
    fn name(&self) -> &'static str {
        "knowledge list"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = list::run(cli.ws, &self.among.among(), &own_documents::all())?;
        let text = match cli.style.width {
            Some(_) => lines(&report, cli.style),
            None => knowledge::table(&report),
        };
        Ok(output(text, report))
    }
}

fn output(text: Said, report: Report) -> Output {
    let findings = report.findings.clone();
    let waiting = match report.seeds {
        0 => None,
        1 => {
            Some("a file in the seed folder was never loaded; `co knowledge seed` loads it".into())
        }
        files => Some(format!(
            "{files} files in the seed folder were never loaded; `co knowledge seed` loads them"
        )),
    };
    let mut output = Output::data(text, report).skipped(&findings);
    output.warnings.extend(waiting);
    output
}

/// One line per document, for a terminal.
fn lines(report: &Report, style: Style) -> Said {
    if report.entries.is_empty() {
        return Said::from("No documents yet. `co knowledge write TOPIC` writes one.\n");
    }
    let line = |row: &DocumentRow| {
        // A layer is named in front of the topic.
        let scope = match row.scope {
            Some(Scope::Project) => format!("{} ", Scope::Project.word()),
            Some(Scope::Identity | Scope::Layer(_)) | None => String::new(),
        };
        let tags =
            if row.tags.is_empty() { Said::new() } else { said!("[{}] ", row.tags.join(", ")) };
        let source = row.source.as_deref().unwrap_or_default();
        let about = style.dim(said!("{}{}{}", tags, scope, source).trimmed());
        let name = if row.name == row.topic.name() { &row.description } else { &row.name };
        let topic = style.strong(topic_handle(&row.topic, row.scope));
        said!("  {}  {}  {}\n", topic, name, about)
    };
    report.entries.iter().map(line).collect()
}

/// `co knowledge tree`
#[derive(Args, Debug)]
pub struct Tree {
    /// Which.
    #[command(flatten)]
    pub among: AmongArgs,
}

impl Verb for Tree {
    fn name(&self) -> &'static str {
        "knowledge tree"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = list::run(cli.ws, &self.among.among(), &own_documents::all())?;
        let mut top = Node::default();
        for row in &report.entries {
            let layer = row.scope.and_then(Scope::layer);
            let path = row.topic.full();
            let parts = layer.iter().map(LayerName::as_str).chain(path.split('/'));
            top.add(&parts.collect::<Vec<_>>(), &row.name);
        }
        let mut text = Said::new();
        top.draw("", "", cli.style, &mut text);
        if report.entries.is_empty() {
            text.push("No documents yet. `co knowledge write TOPIC` writes one.\n");
        }
        for hint in hints(&report.entries) {
            text.push(said!("{} {}\n", cli.style.dim("hint:"), hint));
        }
        Ok(output(text, report))
    }
}

/// A folder or a document.
#[derive(Default)]
struct Node {
    /// The name of the document at this path, if there is one.
    document: Option<String>,
    below: BTreeMap<String, Node>,
}

impl Node {
    fn add(&mut self, parts: &[&str], name: &str) {
        let [first, rest @ ..] = parts else {
            self.document = Some(name.to_owned());
            return;
        };
        self.below.entry((*first).to_owned()).or_default().add(rest, name);
    }

    fn count(&self) -> usize {
        usize::from(self.document.is_some()) + self.below.values().map(Node::count).sum::<usize>()
    }

    fn draw(&self, path: &str, before: &str, style: Style, text: &mut Said) {
        let last = self.below.len();
        for (at, (part, node)) in self.below.iter().enumerate() {
            let is_last = at + 1 == last;
            let (branch, next) = match (path.is_empty(), is_last) {
                (true, _) => ("", ""),
                (false, true) => ("└── ", "    "),
                (false, false) => ("├── ", "│   "),
            };
            let path = if path.is_empty() { part.clone() } else { format!("{path}/{part}") };
            let about = match &node.document {
                Some(name) if name != part => said!("  {}", name),
                Some(_) => Said::new(),
                None => said!("  {}{}", node.count(), category(&path)),
            };
            let slash = if node.below.is_empty() { "" } else { "/" };
            let about = style.dim(about);
            text.push(said!("{}{}{}{}{}\n", before, branch, part, slash, about));
            node.draw(&path, &format!("{before}{next}"), style, text);
        }
    }
}

/// The purpose of one of the usual folders.
fn category(path: &str) -> Said {
    let known = placement::CATEGORIES
        .iter()
        .find(|(name, _)| path.strip_prefix("knowledge/") == Some(name));
    known.map_or_else(Said::new, |(_, what)| said!(", {}", what))
}

/// When a separate folder is worthwhile, and when not.
fn hints(rows: &[DocumentRow]) -> Vec<Said> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.topic.namespace() == Namespace::Knowledge) {
        *counts.entry(row.topic.folder().to_owned()).or_default() += 1;
    }
    let mut hints = Vec::new();
    for (folder, count) in counts {
        let depth = folder.split('/').count();
        let is_own = ["projects", "integrations", "articles"]
            .contains(&folder.split('/').next().unwrap_or_default());
        if folder.is_empty() && count >= placement::MANY {
            hints.push(said!(
                "{} documents are not in folders; `co knowledge migrate` proposes where they \
                 belong",
                count
            ));
        } else if depth > 1 && !is_own && count < placement::FEW {
            hints.push(said!(
                "{}/ contains only {}; fewer than {} are not worth a folder of their own",
                folder,
                plural(count, "document", "documents"),
                placement::FEW
            ));
        } else if depth == 1 && !is_own && !folder.is_empty() && count >= 3 * placement::MANY {
            hints.push(said!(
                "{}/ contains {} documents; folders by subject make it easier to browse",
                folder,
                count
            ));
        }
    }
    hints.extend(crowded_words(rows));
    hints
}

/// Folders in which many documents begin with the same word.
fn crowded_words(rows: &[DocumentRow]) -> Vec<Said> {
    let own = rows.iter().filter(|row| row.topic.namespace() == Namespace::Knowledge);
    let named = own.map(|row| (row.topic.folder(), row.topic.name()));
    let shared = placement::of_one_word(named).into_iter();
    let hint = |one: OneWord<'_>| {
        let place = match one.folder {
            "" => Said::new(),
            folder => said!(" in {}/", folder),
        };
        said!(
            "{} documents{} begin with `{}`; a folder {}/ makes them easier to browse \
             (`co knowledge move`)",
            one.count,
            place,
            one.word,
            one.own_folder()
        )
    };
    shared.filter(|one| one.count >= placement::MANY).map(hint).collect()
}
