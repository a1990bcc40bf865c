//! `co memory recall`, `co recall`

use crate::cli::args::{ScopeArg, scope};
use crate::cli::{
    batch, complete,
    output::Output,
    progress::waiting,
    style::{Style, plural, safe},
    verb::{Cli, Verb},
};
use crate::display::memories;
use crate::ops::{Failure, recall};
use clap::Args;
use clap_complete::ArgValueCandidates;
use jiff::civil::Date;
use serde_json::json;

/// `co memory recall`
#[derive(Args, Debug)]
#[command(
    after_help = "Words, \"exact phrases\", OR, and -word to leave out. A fact that holds the \
        whole question comes first. Other words for the same, misspelt words and dates (last week, \
        in May 2023) are understood; `recall` in settings.json switches each of these off.",
    mut_arg("query", |query| query.required_unless_present("batch"))
)]
pub struct Recall {
    /// The question
    #[arg(value_name = "QUERY")]
    pub query: Vec<String>,
    /// At most so many answers
    #[arg(short = 'n', long, default_value_t = recall::DEFAULT_LIMIT, value_parser = at_least_one)]
    pub limit: usize,
    /// Only in this scope
    #[arg(long)]
    pub scope: Option<ScopeArg>,
    /// Only facts with this tag; of several, all
    #[arg(short, long = "tag", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// Only facts learned on this day or later: 2026-11-20
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub since: Option<Date>,
    /// Only facts that this one said: user-told, an agent
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// Print what each signal gave to the score
    #[arg(long)]
    pub explain: bool,
    /// Answer questions from standard input, one JSON object a line: {"qid", "query", "limit"}
    #[arg(long, conflicts_with = "query")]
    pub batch: bool,
}

pub(in crate::cli) fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "write a number from 1 on".to_owned())
}

fn day(text: &str) -> Result<Date, String> {
    text.parse().map_err(|_| "write a day as 2026-11-20".to_owned())
}

impl Verb for Recall {
    fn name(&self) -> &'static str {
        "memory recall"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let among = recall::Among {
            scope: scope(self.scope),
            tags: self.tags,
            since: self.since,
            source: self.source,
        };
        if self.batch {
            return batch(cli, &among, self.limit);
        }
        let request = recall::Request { query: self.query.join(" "), limit: self.limit, among };
        let report = waiting(cli, "Searching…", || recall::run(cli.context, &request))?;
        let findings = report.findings.clone();
        let text = match self.explain {
            true => explained(&report, cli.style),
            false => recalled(&report, cli.style),
        };
        let notes = if cli.verbose { report.notes.clone() } else { Vec::new() };
        let problem = report.problem.as_ref().map(|why| {
            format!("the embedder of settings.json was not asked, the built-in one was: {why}")
        });
        let mut output = Output { notes, ..Output::data(text, report) }.skipped(&findings);
        output.warnings.extend(problem);
        Ok(output)
    }
}

/// Answers as long as there are questions: the facts are read once.
fn batch(cli: &Cli<'_>, among: &recall::Among, limit: usize) -> Result<Output, Failure> {
    let mut searched = recall::Searched::read(cli.context, among, recall::Look::Usual)?;
    batch::answered(|asked| {
        let report = searched.answer(cli.context, &asked.query, asked.limit.unwrap_or(limit));
        let ids: Vec<Option<u64>> = report.results.iter().map(|answer| answer.id).collect();
        json!({ "qid": asked.qid, "ids": ids, "results": report.results })
    })
}

/// The facts with what each signal gave, in columns.
fn explained(report: &recall::Report, style: Style) -> String {
    let head = "   fact  score   words meaning    tag context   date phrase";
    let rung = match report.rung {
        recall::Rung::Scan => "scan: every text was compared",
        recall::Rung::Words => "index: words; vectors were made for this question",
        recall::Rung::Hybrid => "index: words and vectors",
    };
    let searched = plural(report.searched, "fact", "facts");
    let mut text = format!("{}\n", style.dim(&format!("{rung}; {searched} searched")));
    text.push_str(&format!("{}\n", style.dim(head)));
    for answer in &report.results {
        let parts = &answer.signals;
        let shown = [parts.bm25, parts.meaning, parts.tag, parts.context, parts.date, parts.phrase];
        let shown: String = shown.iter().map(|part| format!(" {:>6.2} ", rounded(*part))).collect();
        let first = safe(answer.content.lines().next().unwrap_or_default());
        let numbers =
            format!("{:>7} {:>6.2} {}", safe(&answer.handle), answer.score, shown.trim_end());
        text.push_str(&format!("{numbers}  {}\n", style.fit(&first, 60)));
    }
    text
}

/// To two digits, and without the sign of nothing.
fn rounded(part: f64) -> f64 {
    (part * 100.0).round() / 100.0 + 0.0
}

fn recalled(report: &recall::Report, style: Style) -> String {
    match (style.width, report.results.as_slice()) {
        // Programs get what they know.
        (None, _) => memories::recalled(report),
        (Some(_), []) => format!("{}{}", memories::recalled(report), instead(report)),
        (Some(_), answers) => answers.iter().map(|answer| shown(answer, style)).collect(),
    }
}

/// Where to look when nothing answers.
fn instead(report: &recall::Report) -> String {
    match (report.nearest.as_slice(), report.searched) {
        ([], 0) => String::new(),
        ([], searched) => format!("`co list` shows all {searched}.\n"),
        _ => memories::nearest(report),
    }
}

/// An answer for a terminal; the markdown above is for programs.
fn shown(answer: &recall::Answer, style: Style) -> String {
    let tags = if answer.tags.is_empty() {
        String::new()
    } else {
        format!(" [{}]", answer.tags.join(", "))
    };
    let date = &answer.date;
    let content = safe(&answer.content);
    let mut lines = content.lines();
    let first = lines.next().unwrap_or_default();
    let about = style.dim(&safe(&format!("{date}{tags}")));
    let rest: String = lines.map(|line| format!("      {line}\n")).collect();
    format!("{:>4}  {first}  {about}\n{rest}", safe(&answer.handle))
}
