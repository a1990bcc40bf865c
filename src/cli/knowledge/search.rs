//! `co knowledge search`: arguments and output. The verb is `documents::search`.

use super::list::AmongArgs;
use crate::cli::{
    args::{cut, unused_embedder, without_quotes},
    batch, complete,
    failure::Failure,
    memory::recall::at_least_one,
    output::Output,
    own_documents,
    progress::waiting,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::display::{knowledge, topic_handle};
use crate::documents::{
    list, related,
    search::{self, DocumentHit, Report, Request},
};
use crate::foreign::{Foreign, Said, said};
use crate::recall::article::ArticleParts;
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

pub(super) const HELP: &str = "Words, \"exact phrases\", OR, and -word to exclude. What counts: \
    the whole text and its best paragraphs (by words and by meaning), tags, entities and type, \
    the path, and dates. Documents below profile/ are not searched, as they are in every context; \
    co's own documents are.";

/// Total tokens of the texts shown on a terminal.
const SHOWN_TOKENS: usize = 1_500;

/// `co knowledge search`
#[derive(Args, Debug)]
#[command(mut_arg("query", |query| query.required_unless_present("batch")))]
pub struct Search {
    /// The question
    #[arg(value_name = "QUERY")]
    pub query: Vec<String>,
    /// Maximum number of documents
    #[arg(short = 'n', long, default_value_t = search::DEFAULT_LIMIT, value_parser = at_least_one)]
    pub limit: usize,
    /// Which.
    #[command(flatten)]
    pub among: AmongArgs,
    /// Only documents that are connected with this person, project or document
    #[arg(long, value_name = "TOPIC", add = ArgValueCandidates::new(complete::documents))]
    pub related: Option<String>,
    /// Cut all texts together to about this many tokens (default: 4000; on a terminal 1500)
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub token_budget: Option<usize>,
    /// Print the full texts, however long
    #[arg(long, conflicts_with = "token_budget")]
    pub full: bool,
    /// Print what each signal contributed to the score
    #[arg(long)]
    pub explain: bool,
    /// Answer questions from standard input, one JSON object per line: {"qid", "query", "limit"}
    #[arg(long, conflicts_with = "query")]
    pub batch: bool,
}

impl Verb for Search {
    fn name(&self) -> &'static str {
        "knowledge search"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let mut among = self.among.among();
        if let Some(what) = &self.related {
            among.only = Some(related::confined(cli.ws, what, among.scope)?.topics);
        }
        let (limit, token_budget) = (self.limit, self.token_budget);
        let request = Request { query: self.query.join(" "), limit, among, token_budget };
        if self.batch {
            return answered(cli, &request);
        }
        // A person reads the first screen, a program everything.
        let most = if cli.style.width.is_some() { SHOWN_TOKENS } else { search::DEFAULT_TOKENS };
        let usual = (!self.full).then_some(most);
        let request = Request { token_budget: token_budget.or(usual), ..request };
        let report =
            waiting(cli, "Searching…", || search::run(cli.ws, &request, &own_documents::all()))?;
        let (findings, unquoted) = (report.findings.clone(), report.unquoted);
        let problem = unused_embedder(report.problem.as_ref());
        let text = if self.explain {
            explained(&report, cli.style)
        } else {
            found(&report, cli, |answer| &answer.content)
        };
        let mut output = Output::data(text, report).skipped(&findings);
        output.warnings.extend(cut(&request.query));
        output.warnings.extend(problem);
        output.warnings.extend(without_quotes(unquoted));
        Ok(output)
    }
}

fn answered(cli: &Cli<'_>, request: &Request) -> Result<Output, Failure> {
    let docs = own_documents::all();
    batch::answered(|asked| {
        let (query, limit) = (asked.query.clone(), asked.limit.unwrap_or(request.limit));
        let request = Request { query, limit, ..request.clone() };
        let report = search::run(cli.ws, &request, &docs)?;
        let ids: Vec<String> =
            report.results.iter().map(|answer| answer.topic.to_string()).collect();
        Ok(json!({ "qid": asked.qid, "ids": ids, "results": report.results }))
    })
}

/// The indentation of a document's lines.
const BELOW: &str = "  ";

fn found(report: &Report, cli: &Cli<'_>, text_of: impl Fn(&DocumentHit) -> &String) -> Said {
    let style = cli.style;
    if style.width.is_none() {
        return knowledge::found(report, text_of);
    }
    if report.results.is_empty() {
        let more = instead(report, cli);
        return said!("{}{}", knowledge::found(report, text_of), more);
    }
    let mut text = Said::new();
    for answer in &report.results {
        let topic = topic_handle(&answer.topic, answer.scope);
        let topic = style.strong(said!("## {}", topic));
        let about = style.dim(said!("{} {:.2}", knowledge::tags(answer), answer.relevance));
        let cut = if answer.truncated {
            style.dim(said!("  ({} tokens, cut; `--full` shows all)", answer.tokens)) + "\n"
        } else {
            Said::new()
        };
        let quote = Foreign(text_of(answer)).quote(BELOW);
        text.push(said!("{}{}\n\n{}{}\n", topic, about, quote, cut));
    }
    text + &knowledge::left_out(report)
}

/// Where to look if nothing answers and nothing is near. What was searched are also co's own
/// documents, or only some: the number is that of the list.
fn instead(report: &Report, cli: &Cli<'_>) -> Said {
    let is_near = !report.nearest.is_empty() || report.left_out > 0;
    if report.searched == 0 || is_near || cli.ws.only.is_some() {
        return Said::new();
    }
    let listed = list::run(cli.ws, &list::Among::default(), &[]);
    match listed.map_or(0, |listed| listed.count) {
        0 => Said::new(),
        all => said!("`co knowledge list` shows all {}.\n", all),
    }
}

/// The documents with each signal's contribution, in columns.
fn explained(report: &Report, style: Style) -> Said {
    let searched = plural(report.searched, "document", "documents");
    let mut text = said!("{}\n", style.dim(said!("{} searched", searched)));
    let heads: Said = ArticleParts::heads().map(|head| said!("  {:>6}", head)).collect();
    let head = said!("relevance {:>6}{}", "score", heads);
    text.push(said!("{}\n", style.dim(head)));
    for answer in &report.results {
        let parts: Said = answer.signals.values().map(|part| said!("  {:>6.2}", part)).collect();
        text.push(said!(
            "{:>9.2} {:>6.2}{}  {}\n",
            answer.relevance,
            answer.score,
            parts,
            topic_handle(&answer.topic, answer.scope)
        ));
    }
    text
}
