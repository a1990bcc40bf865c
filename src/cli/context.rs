//! `co context`: arguments and output. The verb is `integrations::context`; with `--query`,
//! `documents::compile`.

use super::{
    args::{cut, named, unused_embedder},
    failure::Failure,
    layer_option,
    output::Output,
    own_documents,
    style::Style,
    times::Times,
    verb::{Cli, Needs, Verb},
};
use crate::context::{Markup, layers::Account, system_reminder};
use crate::documents::compile;
use crate::foreign::{Said, said};
use crate::integrations::context;
use crate::knowledge::compile::Limits;
use clap::{Args, ValueEnum, builder::TypedValueParser};
use serde_json::json;

/// `co context`
#[derive(Args, Debug)]
pub struct Context {
    /// The output format
    #[arg(long, default_value = "markdown", value_parser = format())]
    pub format: Markup,
    /// Cut to about this many tokens; with --query, only the documents (4000)
    #[arg(long, value_name = "N")]
    pub token_budget: Option<usize>,
    /// Show each layer's file, size, budget, tokens and what was cut, instead of the text
    #[arg(long)]
    pub explain: bool,
    /// Print the profile, and the facts and documents that answer this, as XML, instead of the
    /// layers
    #[arg(short = 'Q', long, value_name = "QUERY", conflicts_with = "format")]
    pub query: Option<String>,
    /// With --query: maximum number of documents
    #[arg(long, value_name = "N", requires = "query", default_value_t = Limits::default().documents)]
    pub documents: usize,
    /// With --query: leave out documents less relevant than this, from 0 to 1
    #[arg(long, value_name = "R", requires = "query", default_value_t = Limits::default().relevance, allow_negative_numbers = true, value_parser = share)]
    pub min_relevance: f64,
    /// Wrap it in the tags that agents expect around a reminder
    #[arg(long, value_name = "TAG")]
    pub wrap: Option<WrapArg>,
    /// Of another time.
    #[command(flatten)]
    pub times: Times,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a number from 0 to 1, e.g. 0.3".to_owned())
}

fn format() -> impl TypedValueParser<Value = Markup> {
    named([
        (Markup::Markdown, "markdown", "Plain, as in the files"),
        (Markup::Xml, "xml", "One element per layer"),
    ])
}

/// The wrappers of a context.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrapArg {
    /// `<system-reminder>`
    SystemReminder,
}

impl Verb for Context {
    fn name(&self) -> &'static str {
        "context"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let time = self.times.asked(cli)?;
        let unknown = time.unknown();
        let cli = &Cli { ws: time.ws(cli), ..*cli };
        if let Some(query) = &self.query {
            let mut output = self.compiled(cli, query)?;
            output.warnings.extend(unknown);
            return Ok(output);
        }
        let request = context::Request {
            format: self.format,
            token_budget: self.token_budget,
            layers: layer_option::kinds(cli.layers),
            arrived: Vec::new(),
            system_reminder: self.wrap.is_some(),
        };
        let assembled = context::run(cli.ws, &request)?;
        let text = if self.explain {
            explained(&assembled.accounts, cli.style)
        } else {
            assembled.text.clone()
        };
        let data = json!({ "text": assembled.text, "layers": assembled.accounts });
        let mut output = Output::unbroken(text, data).warned(assembled.warnings);
        output.warnings.extend(unknown);
        Ok(output)
    }
}

impl Context {
    /// The profile and the documents that answer a query.
    fn compiled(&self, cli: &Cli<'_>, query: &str) -> Result<Output, Failure> {
        let usual = Limits::default();
        let limits = Limits {
            documents: self.documents,
            relevance: self.min_relevance,
            tokens: self.token_budget.unwrap_or(usual.tokens),
        };
        let request = compile::Request { query: query.to_owned(), limits };
        let mut report = compile::run(cli.ws, &request, &own_documents::all())?;
        if self.wrap.is_some() && !report.text.is_empty() {
            report.text = system_reminder(report.text, Markup::Xml);
        }
        let text = if self.explain { included(&report, cli.style) } else { report.text.clone() };
        let findings = report.findings.clone();
        let problem = unused_embedder(report.problem.as_ref());
        let mut output = Output::unbroken(text, report).skipped(&findings);
        output.warnings.extend(cut(&request.query));
        output.warnings.extend(problem);
        Ok(output)
    }
}

/// What the agent got, and how much of it.
fn included(report: &compile::Report, style: Style) -> Said {
    let head = style.dim("relevance  tokens   given  document");
    let mut text = said!("{}\n", head);
    for one in &report.included {
        let relevance = one.relevance.map_or_else(|| Said::from("always"), |r| said!("{:.2}", r));
        let cut = if one.truncated { style.edited("  cut") } else { Said::new() };
        text.push(said!(
            "{:>9} {:>7} {:>7}  {}{}\n",
            relevance,
            one.tokens,
            one.given,
            one.path,
            cut
        ));
    }
    if report.left_out > 0 {
        text.push(style.dim(said!("{} more did not fit\n", report.left_out)));
    }
    for one in &report.below {
        let (relevance, path) = (one.relevance, &one.path);
        let line = said!("{:>9.2} {:>7} {:>7}  {}  not relevant enough", relevance, "", "", path);
        text.push(said!("{}\n", style.dim(line)));
    }
    text
}

fn explained(accounts: &[Account], style: Style) -> Said {
    let parts = accounts.iter().flat_map(|account| &account.parts);
    let layer = accounts.iter().map(|account| account.layer.len()).max().unwrap_or(0).max(5);
    let file = parts.map(|part| part.what.chars().count()).max().unwrap_or(0).max(4);
    let row = |name: &str, path: &str, [bytes, budget, tokens]: [&str; 3]| {
        format!("{name:layer$}  {path:file$}  {bytes:>7}  {budget:>7}  {tokens:>7}")
    };
    let mut text = style.dim(row("layer", "file", ["bytes", "budget", "tokens"])) + "\n";
    for account in accounts {
        let name = account.layer.replace('-', " ");
        let budget = account.budget.to_string();
        for (at, part) in account.parts.iter().enumerate() {
            // All parts share one budget.
            let budget = if at == 0 { budget.as_str() } else { "" };
            let (bytes, tokens) = (part.bytes.to_string(), part.tokens.to_string());
            text.push(row(&name, &part.what, [bytes.as_str(), budget, tokens.as_str()]));
            text.push("\n");
        }
        for (note, count) in counted(&account.notes) {
            let files = if count == 1 { String::new() } else { format!(" ({count} files)") };
            text.push(format!("{:layer$}  ", ""));
            text.push(style.edited(format!("{note}{files}")));
            text.push("\n");
        }
    }
    text
}

/// Each note once, with how many files have it.
fn counted(notes: &[String]) -> Vec<(&str, usize)> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for note in notes {
        match counted.iter_mut().find(|(known, _)| known == note) {
            Some((_, count)) => *count += 1,
            None => counted.push((note.as_str(), 1)),
        }
    }
    counted
}
