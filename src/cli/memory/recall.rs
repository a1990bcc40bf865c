//! `co memory recall`, `co recall`: arguments and output. The verb is `facts::recall`.

use super::list;
use crate::cli::{
    args::{cut, named_also, scope, unused_embedder, without_quotes},
    batch, complete,
    failure::Failure,
    output::Output,
    progress::waiting,
    style::{Style, plural},
    times::Times,
    verb::{Cli, Needs, Verb},
};
use crate::display::{memories, topic_handle};
use crate::documents::related;
use crate::facts::{
    self,
    recall::{self, AnswerKind},
};
use crate::foreign::{Foreign, Said, said};
use crate::identity::{FactView, StandingFilter, dates::Reading, memory::summary, shell};
use crate::index::store::Scope;
use crate::recall::Parts;
use crate::workspace::{Workspace, asked};
use clap::{Args, builder::TypedValueParser};
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co memory recall`
#[derive(Args, Debug)]
#[command(
    after_help = "Words, \"exact phrases\", OR, and -word to exclude. A fact that contains the \
        whole question comes first. Synonyms, misspelled words and dates (last week, in May 2023) \
        are understood; `recall` in settings.json turns each of these off.\n\
        \n\
        Examples:\n  \
        co recall \"what runs before the tests?\"   facts and documents\n  \
        co recall redis -sessions                 without those about sessions\n  \
        co recall deploy --kind document          only documents",
    mut_arg("query", |query| query.required_unless_present("batch"))
)]
pub struct Recall {
    /// The question
    #[arg(value_name = "QUERY")]
    pub query: Vec<String>,
    /// Maximum number of results
    #[arg(short = 'n', long, default_value_t = recall::DEFAULT_LIMIT, value_parser = at_least_one)]
    pub limit: usize,
    /// Only facts, or only documents
    #[arg(long, value_parser = kind())]
    pub kind: Option<AnswerKind>,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// Only facts with this tag; if repeated, with all of them
    #[arg(short, long = "tag", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// Only facts learned on this day or later: 2026-11-20, "last friday"
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only facts from this source: user-told, an agent
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// Also facts that are over, replaced, or not yet valid
    #[arg(long)]
    pub all: bool,
    /// Only what is connected with this person, project or document
    #[arg(long, value_name = "TOPIC", add = ArgValueCandidates::new(complete::documents))]
    pub related: Option<String>,
    /// Print what each signal contributed to the score
    #[arg(long)]
    pub explain: bool,
    /// Answer questions from standard input, one JSON object per line: {"qid", "query", "limit"}
    #[arg(long, conflicts_with_all = ["query", "at", "on"])]
    pub batch: bool,
    /// Of another time.
    #[command(flatten)]
    pub times: Times,
}

fn kind() -> impl TypedValueParser<Value = AnswerKind> {
    named_also(
        [(AnswerKind::Memory, "memory", ""), (AnswerKind::Document, "document", "")],
        &[("fact", "memory"), ("facts", "memory"), ("documents", "document")],
    )
}

pub(in crate::cli) fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "write a number, 1 or higher".to_owned())
}

impl Verb for Recall {
    fn name(&self) -> &'static str {
        "memory recall"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let (calendar, again) = (cli.ws.calendar(), self.again(cli.layers));
        let since = self.since.map(|text| asked::date(cli.ws, &text, Reading::Past)).transpose()?;
        let since = since.map(|when| calendar.day(when.first(calendar)));
        let time = self.times.asked(cli)?;
        let ws = time.ws(cli);
        let only = self.related.as_deref().map(|what| related::confined(ws, what, self.scope));
        let among = recall::RecallFilter {
            kind: self.kind,
            scope: self.scope,
            tags: self.tags,
            since,
            source: self.source,
            which: if self.all { StandingFilter::All } else { StandingFilter::Current },
            only: only.transpose()?,
        };
        if self.batch {
            return batch(cli, &among, self.limit);
        }
        let request = recall::Request {
            query: self.query.join(" "),
            limit: self.limit,
            among,
            tally: recall::Tally::Counted,
        };
        let report = waiting(cli, "Searching…", || recall::run(ws, &request))?;
        let (findings, unquoted) = (report.findings.clone(), report.unquoted);
        let text =
            if self.explain { explained(&report, cli.style) } else { recalled(&report, cli) };
        let is_empty = report.results.is_empty();
        let is_held_back = is_empty && report.not_held > 0;
        let left_out = if is_held_back { recall::held_back(ws, &request)? } else { 0 };
        let text = time.heading(cli.style) + text + list::not_held(left_out, &again);
        let notes = if cli.verbose { report.notes.clone() } else { Vec::new() };
        let problem = unused_embedder(report.problem.as_ref());
        let mut output = Output { notes, ..Output::data(text, report) }.skipped(&findings);
        output.warnings.extend(time.unknown());
        if is_empty {
            let (scope, tags) = (request.among.scope, &request.among.tags);
            output.warnings.extend(facts::list::unknown_tags(ws, scope, tags)?);
        }
        output.warnings.extend(cut(&request.query));
        output.warnings.extend(problem);
        output.warnings.extend(without_quotes(unquoted));
        Ok(output)
    }
}

impl Recall {
    /// The command that also searches the facts that do not hold, as a shell takes it.
    fn again(&self, layers: &[String]) -> String {
        let times = [("--at", &self.times.at), ("--on", &self.times.on)];
        let typed = [("--since", &self.since), ("--source", &self.source)].into_iter().chain(times);
        let typed = typed.chain([("--related", &self.related)]);
        let typed = typed.filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let tags = self.tags.iter().map(|tag| ("--tag", tag.as_str()));
        let layers = layers.iter().map(|layer| ("--layer", layer.as_str()));
        let scope = self.scope.iter().map(|scope| ("--scope", scope.word()));
        let of_facts = self.kind.filter(|kind| *kind == AnswerKind::Memory);
        let kind = of_facts.map(|_| ("--kind", "memory"));
        let options = typed.chain(tags).chain(layers).chain(scope).chain(kind);
        let options: String =
            options.map(|(name, value)| format!(" {name} {}", shell::quoted(value))).collect();
        let question = self.query.join(" ");
        let dashes = if question.starts_with('-') { " --" } else { "" };
        let limit = match self.limit {
            recall::DEFAULT_LIMIT => String::new(),
            limit => format!(" -n {limit}"),
        };
        format!("co recall --all{options}{limit}{dashes} {}", shell::quoted(&question))
    }
}

/// Answers queries until the input ends; unchanged data is read only once.
fn batch(cli: &Cli<'_>, among: &recall::RecallFilter, limit: usize) -> Result<Output, Failure> {
    let mut cache = recall::RecallCache::new(recall::QueryLoad::Many);
    let ws = Workspace::unrecovered(cli.ws.context().clone().for_many_answers());
    batch::answered(|asked| {
        let (query, limit) = (asked.query.clone(), asked.limit.unwrap_or(limit));
        let request =
            recall::Request { query, limit, among: among.clone(), tally: recall::Tally::Counted };
        let report = cache.answer(&ws, &request)?;
        let ids: Vec<Option<u64>> = report.results.iter().map(recall::Answer::id).collect();
        Ok(json!({ "qid": asked.qid, "ids": ids, "results": report.results }))
    })
}

/// The answers with each signal's contribution, in columns.
fn explained(report: &recall::Report, style: Style) -> Said {
    let mode = match report.mode {
        recall::SearchMode::Scan => "scan: all files were read",
        recall::SearchMode::Index => "index",
    };
    let facts = plural(report.searched, "fact", "facts");
    let documents = match report.documents {
        0 => Said::new(),
        documents => said!(", {}", plural(documents, "document", "documents")),
    };
    let mut text = said!("{}\n", style.dim(said!("{}; {}{} searched", mode, facts, documents)));
    if let Some(trust) = &report.trust {
        let [coverage, agreement, nearest, words] =
            [trust.coverage, trust.agreement, trust.nearest, trust.words].map(rounded);
        let said = said!(
            "word weight {:.2} (coverage {:.2}, agreement with meaning \
            {:.2}); highest similarity {:.2}",
            words,
            coverage,
            agreement,
            nearest
        );
        text.push(said!("{}\n", style.dim(said)));
    }
    let heads: Said = Parts::heads().map(|head| said!(" {:>6}", head)).collect();
    let head = said!("{:>7} {:>6} {}", "answer", "score", heads);
    text.push(said!("{}\n", style.dim(head)));
    for answer in &report.results {
        let (name, score, parts, content) = match answer {
            recall::Answer::Memory(hit) => {
                (hit.fact.handle.as_str(), hit.score, hit.signals, hit.fact.text())
            }
            recall::Answer::Document(passage) => {
                let parts = passage.signals.as_of_fact();
                ("doc", passage.score, parts, passage.content.as_str())
            }
        };
        let shown: Said = parts.values().map(|part| said!(" {:>6.2} ", rounded(part))).collect();
        let first = summary(content);
        let numbers = said!("{:>7} {:>6.2} {}", name, score, shown.trimmed());
        text.push(said!("{}  {}\n", numbers, style.fit(&first, 60)));
    }
    text
}

/// Rounds to two digits, and avoids a negative zero.
fn rounded(part: f64) -> f64 {
    (part * 100.0).round() / 100.0 + 0.0
}

fn recalled(report: &recall::Report, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    match (style.width, report.results.as_slice()) {
        // Programs get the known format.
        (None, _) => memories::recalled(report),
        (Some(_), []) => said!("{}{}", memories::recalled(report), instead(report, cli.ws)),
        (Some(_), answers) => {
            let shown = |answer: &recall::Answer| match answer {
                recall::Answer::Memory(hit) => shown(&hit.fact, style),
                recall::Answer::Document(passage) => shown_passage(passage, style),
            };
            answers.iter().map(shown).collect()
        }
    }
}

/// Where to look if nothing answers and nothing is near. What was searched may be only some, or of
/// another time: the number is that of the list.
fn instead(report: &recall::Report, ws: &Workspace) -> Said {
    let is_near = !(report.nearest.is_empty() && report.nearest_documents.is_empty());
    if report.searched == 0 || is_near || ws.only.is_some() {
        return Said::new();
    }
    let listed = facts::list::run(ws, &facts::list::Request::default());
    match listed.map_or(0, |listed| listed.count) {
        0 => Said::new(),
        all => said!("`co list` shows all {}.\n", all),
    }
}

/// The indentation of an answer's further lines.
const BELOW: &str = "      ";

/// An answer for a terminal; the markdown above is for programs.
fn shown(answer: &FactView, style: Style) -> Said {
    let tags =
        if answer.tags.is_empty() { Said::new() } else { said!(" [{}]", answer.tags.join(", ")) };
    let date = &answer.date;
    let content = Foreign(answer.text()).lines();
    let (first, rest) = content.split_once('\n').unwrap_or((&content, ""));
    let marks: Said = answer.held.marks.iter().map(|mark| said!(" ({})", mark)).collect();
    let about = style.dim(said!("{}{}{}", date, marks, tags));
    let rest = Foreign(rest).quote(BELOW);
    said!("{:>4}  {}  {}\n{}", answer.handle, first, about, rest)
}

/// A passage for a terminal: its location and its text.
fn shown_passage(passage: &recall::Passage, style: Style) -> Said {
    let mut place = vec![topic_handle(&passage.topic, passage.scope)];
    place.extend(passage.heading.iter().cloned());
    let place = style.strong(place.join(" › "));
    let date = passage.date.as_deref().unwrap_or_default();
    let text = Foreign(&passage.content).quote(BELOW);
    said!("   ·  {}  {}\n{}", place, style.dim(Foreign(date)), text)
}
