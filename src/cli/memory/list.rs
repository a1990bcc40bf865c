//! `co memory list`: arguments and output. The verb is `facts::list`.

use crate::cli::{
    args::{named_also, scope},
    complete,
    failure::Failure,
    output::Output,
    progress::waiting,
    style::Style,
    times::Times,
    verb::{Cli, Needs, Verb},
};
use crate::display::memories;
use crate::facts::list::{self, Order};
use crate::foreign::{Said, said};
use crate::identity::{FactRow, StandingFilter};
use crate::index::store::Scope;
use clap::{Args, builder::TypedValueParser};
use clap_complete::ArgValueCandidates;

pub(in crate::cli) const HELP: &str = "\
    On a terminal, pinned facts come first, then the newest. In a pipe and with --json the order is \
    that of their numbers, pinned ones first. --sort is the same everywhere, and lists pinned facts \
    among the others.\n\
    \n\
    Examples:\n  \
    co list -n 10 --sort newest   what was learned last\n  \
    co list --tag python          facts with a tag";

/// `co memory list`
#[derive(Args, Debug, Default)]
pub struct List {
    /// Only facts with this tag; may be given several times
    #[arg(short, long = "tag", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// Maximum number of facts; 0 lists all (the default)
    #[arg(short = 'n', long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub limit: usize,
    /// Which facts come first
    #[arg(long, value_name = "ORDER", value_parser = order())]
    pub sort: Option<Order>,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// Also facts that are over, replaced, or not yet valid
    #[arg(long)]
    pub all: bool,
    /// Of another time.
    #[command(flatten)]
    pub times: Times,
}

fn order() -> impl TypedValueParser<Value = Order> {
    named_also(
        [
            (Order::Newest, "newest", "Those learned last"),
            (Order::Oldest, "oldest", "Those learned first"),
            (Order::Updated, "updated", "Those learned or changed last"),
            (Order::Number, "number", "By their numbers"),
            (Order::Name, "name", "By their first lines, from A to Z"),
        ],
        ALSO,
    )
}

/// What people type for the names of orders.
const ALSO: &[(&str, &str)] = &[
    ("created", "newest"),
    ("date", "newest"),
    ("latest", "newest"),
    ("new", "newest"),
    ("recent", "newest"),
    ("old", "oldest"),
    ("changed", "updated"),
    ("modified", "updated"),
    ("id", "number"),
    ("alphabetical", "name"),
    ("text", "name"),
    ("title", "name"),
];

impl Verb for List {
    fn name(&self) -> &'static str {
        "memory list"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        // What a program has always got stays as it is.
        let is_read_by_a_person = cli.asks && cli.style.width.is_some();
        let usual = if is_read_by_a_person { Order::Recent } else { Order::Usual };
        let time = self.times.asked(cli)?;
        let ws = time.ws(cli);
        let request = list::Request {
            scope: self.scope,
            tags: self.tags,
            order: self.sort.unwrap_or(usual),
            limit: (self.limit > 0).then_some(self.limit),
            which: if self.all { StandingFilter::All } else { StandingFilter::Current },
        };
        let report = waiting(cli, "Reading…", || list::run(ws, &request))?;
        let (findings, is_empty) = (report.findings.clone(), report.memories.is_empty());
        let text = time.heading(cli.style) + listed(&report, cli.style);
        let mut output = Output::list(text, report).skipped(&findings);
        output.warnings.extend(time.unknown());
        if is_empty {
            output.warnings.extend(list::unknown_tags(ws, request.scope, &request.tags)?);
        }
        Ok(output)
    }
}

fn listed(report: &list::Report, style: Style) -> Said {
    if report.memories.is_empty() {
        return memories::listed(report) + not_held(report.not_held, "co list --all");
    }
    if style.width.is_none() {
        return memories::listed(report);
    }
    let more = style.more(report.count, report.memories.len());
    let more = more.map(|more| more + said!("{}\n", style.dim(" (`-n 0` lists all)")));
    report.memories.iter().map(|row| line(row, style)).chain(more).collect()
}

/// The line about facts that are left out because they do not hold; empty if there are none.
/// `command` shows them.
pub(super) fn not_held(count: usize, command: &str) -> Said {
    let (facts, are, them) = match count {
        0 => return Said::new(),
        1 => (Said::from("1 fact"), "is", "it"),
        _ => (said!("{} facts", count), "are", "them"),
    };
    said!("{} {} over, replaced or not yet valid: `{}` shows {}.\n", facts, are, command, them)
}

/// The columns before the text of a row.
const BEFORE: usize = 6;

/// A row for a terminal; the markdown above is for programs.
fn line(row: FactRow<'_>, style: Style) -> Said {
    let mut about = vec![said!("{}", row.date())];
    if row.is_pinned() {
        about.push(Said::from("pinned"));
    }
    about.extend(row.marks().iter().map(|mark| said!("({})", mark)));
    if row.has_tags() {
        let tags: Vec<&str> = row.tags().collect();
        about.push(said!("[{}]", tags.join(", ")));
    }
    let about = style.dim(Said::joined(about, " "));
    said!("{:>4}  {}  {}\n", row.handle(), style.fit_two(row.first_line(), BEFORE), about)
}
