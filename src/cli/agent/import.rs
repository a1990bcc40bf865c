//! `co agent import`: arguments and output. The verb is `transfer::adopt`.

use crate::cli::{
    agreement::Agreement,
    complete,
    failure::Failure,
    identity::{diff_text, import::imported},
    output::Output,
    progress::waiting,
    style::{Style, plural},
    verb::{Cli, Verb},
};
use crate::facts::review::queue;
use crate::foreign::{Said, said};
use crate::machine::Context;
use crate::transfer::{
    adopt::{self, Adoption, Alike, Answered, Place},
    import,
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;
use std::path::PathBuf;

pub(super) const HELP: &str = "Instructions (CLAUDE.md, AGENTS.md, GEMINI.md, rules) and the \
    agents' own memories become facts, lines of a trait, and profile fields, each with the agent \
    as its source. What is already here, in the same words or others, is not imported again, nor \
    is what was forgotten here or rejected in `co review` (--select offers the latter again); \
    secrets are held back. The agents' files stay unchanged.\n\
    \n\
    --from reads a file or folder from another program: basic-memory notes, exports from mem0, \
    ChatGPT, Claude and Gemini (the zip archive as it was downloaded, or a JSON file in it), \
    markdown, or text with one fact per line. From conversations, only what was saved as a \
    memory is read.\n\
    \n\
    Lines that do not become proposals are listed, each with the reason.";

/// How many lines that were left out are listed unless asked for more.
const LISTED: usize = 10;

/// `co agent import`
#[derive(Args, Debug)]
pub struct Import {
    /// Agents, by their names in `co agent list`
    #[arg(value_name = "NAME", required_unless_present_any = ["all", "from"], add = ArgValueCandidates::new(complete::agents))]
    pub names: Vec<String>,
    /// All agents that have something to import
    #[arg(long, conflicts_with_all = ["names", "from"])]
    pub all: bool,
    /// A file or folder from another program
    #[arg(long, value_name = "PATH", conflicts_with = "names", add = complete::paths())]
    pub from: Option<PathBuf>,
    /// Also import what says nearly the same as an existing fact
    #[arg(long)]
    pub similar: bool,
    /// List everything that was left out, not only the first ten
    #[arg(long)]
    pub left_out: bool,
    /// Leave the facts for `co review`, and import nothing now
    #[arg(long)]
    pub review: bool,
    /// What of it the person takes.
    #[command(flatten)]
    pub agreement: Agreement,
}

impl Verb for Import {
    fn name(&self) -> &'static str {
        "agent import"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let request = adopt::Request {
            agents: self.names.clone(),
            from: self.from.clone(),
            allowed: self.agreement.allow.rules()?,
            alike: if self.similar { Alike::Taken } else { Alike::LeftOut },
            answered: self.answered(),
        };
        let adoption =
            waiting(cli, "Reading what agents know…", || adopt::plan(cli.ws, &request))?;
        let Adoption { plan, found, left, unread } = adoption;
        let listed = if self.left_out { usize::MAX } else { LISTED };
        let left_out = left_out(&left, listed, cli.style);
        let shown = sources(&found, cli.ws, cli.style)
            + &diff_text::review(&plan.report, cli.style, cli.ws.calendar())
            + &left_out;
        let mut warnings: Vec<String> =
            unread.into_iter().chain(plan.report.warnings.clone()).collect();
        let data = json!({ "found": found, "left": left });
        if self.review && !self.agreement.dry_run {
            let put = queue::put_all(cli.ws, &plan.new_facts())?;
            if put.refused > 0 {
                let more = plural(put.refused, "more proposal does", "more proposals do");
                let more = more.into_string();
                let how = "answer some in `co review`, then import again";
                warnings.push(format!("{more} not fit in the review; {how}"));
            }
            let found_in = sources(&found, cli.ws, cli.style);
            let text = said!("{}{}\n{}", found_in, to_review(put, &left), left_out);
            let data = json!({ "found": found, "left": left, "waiting": put.waiting });
            return Ok(Output { warnings, ..Output::done(text, data) });
        }
        if self.agreement.dry_run || plan.is_empty() {
            let proposed = plan.report.json();
            let data = json!({ "found": found, "left": left, "proposed": proposed });
            return Ok(Output { warnings, ..Output::data(shown, data) });
        }
        let plan = self.agreement.to(plan, cli.asks, |_| shown)?;
        let done = import::apply(cli.ws, &plan, &|_, _| {})?;
        let text = imported(&done, &plan.report, cli.style);
        let left = if cli.asks && !self.agreement.yes { Said::new() } else { left_out };
        Ok(Output { warnings, ..Output::done(text + &left, json!({ "done": done, "read": data })) })
    }
}

impl Import {
    /// Rejected facts are offered again only to a person who chooses fact by fact.
    fn answered(&self) -> Answered {
        let chooses = self.agreement.select && !self.agreement.dry_run && !self.review;
        if chooses { Answered::Offered } else { Answered::LeftOut }
    }
}

/// How many proposals wait for a review, or why none does.
fn to_review(put: queue::PutAll, left: &[adopt::Left]) -> Said {
    let rejected = left.iter().filter(|one| one.is_rejected).count();
    match (put.waiting + put.refused, rejected) {
        (0, 0) => said!("Nothing new to review."),
        (0, rejected) => {
            let count = plural(rejected, "was", "were");
            said!("Nothing new to review; {} rejected before.", count)
        }
        _ => {
            let count = plural(put.waiting, "proposal is waiting", "proposals are waiting");
            said!("{}: `co review`", count)
        }
    }
}

fn sources(found: &[adopt::ImportedFile], context: &Context, style: Style) -> Said {
    let line = |one: &adopt::ImportedFile| {
        let count = plural(one.proposals, "proposal", "proposals");
        let text = said!("{}: {} from {}", one.title, count, context.shown(&one.file));
        said!("{}\n", style.dim(&text))
    };
    found.iter().map(line).collect()
}

fn left_out(left: &[adopt::Left], listed: usize, style: Style) -> Said {
    if left.is_empty() {
        return Said::new();
    }
    let several = left.iter().any(|one| one.file != left[0].file);
    let line = |one: &adopt::Left| {
        let file = said!("{}", one.file);
        let at = match one.at {
            // Its name stands before it, and says the same.
            Some(Place::Parts(1)) if several => Some(file),
            Some(Place::Parts(1)) => None,
            Some(at) if several => Some(said!("{}, {}", file, place(at))),
            Some(at) => Some(place(at)),
            None => Some(file),
        };
        let why = at.map_or_else(|| said!("{}", one.why), |at| said!("{}: {}", at, one.why));
        let why = style.dim(why);
        if one.text.is_empty() {
            said!("  · {}\n", why)
        } else {
            said!("  · {}  {}\n", one.text, why)
        }
    };
    let shown: Said = left.iter().take(listed).map(line).collect();
    let rest = left.iter().skip(listed).map(|one| one.at.map_or(1, Place::count));
    let more = match rest.sum::<usize>() {
        0 => Said::new(),
        more => said!("  and {} more: `--left-out` lists them all\n", more),
    };
    let how = match left.iter().filter(|one| one.is_alike).count() {
        0 => Said::new(),
        count => said!("`--similar` imports {} of them.\n", count),
    };
    let again = match left.iter().filter(|one| one.is_rejected).count() {
        0 => Said::new(),
        1 => said!("The one that you rejected can be chosen with `--select`.\n"),
        count => said!("The {} that you rejected can be chosen with `--select`.\n", count),
    };
    said!("\n{}\n{}{}{}{}", style.strong(counted(left)), shown, more, how, again)
}

/// How much was left out, as lines, entries of exports, and parts of archives.
fn counted(left: &[adopt::Left]) -> Said {
    let count = |is: fn(Option<Place>) -> bool| -> usize {
        let these = left.iter().filter(|one| is(one.at));
        these.map(|one| one.at.map_or(1, Place::count)).sum()
    };
    let kinds = [
        (count(|at| matches!(at, Some(Place::Lines(..)))), "line", "lines"),
        (count(|at| matches!(at, Some(Place::Entry(_) | Place::More(..)))), "entry", "entries"),
        (count(|at| matches!(at, None | Some(Place::Parts(_)))), "part", "parts"),
    ];
    let all: usize = kinds.iter().map(|(count, ..)| count).sum();
    let there = kinds.into_iter().filter(|(count, ..)| *count > 0);
    let named = there.map(|(count, one, many)| plural(count, one, many));
    let were = if all == 1 { "was" } else { "were" };
    said!("{} {} left out:", Said::joined(named, " and "), were)
}

fn place(at: Place) -> Said {
    match at {
        Place::Lines(first, last) if first < last => said!("lines {}–{}", first, last),
        Place::Lines(line, _) => said!("line {}", line),
        Place::Entry(entry) => said!("entry {}", entry),
        Place::More(first, count) => said!("{} more from {} on", count, first),
        Place::Parts(count) => plural(count, "part", "parts"),
    }
}
