//! `co propose`: arguments and output. The verb is `transfer::propose`.

use super::{
    args::Allow,
    complete,
    failure::Failure,
    handle, of_layer, output,
    output::Output,
    prompt,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::documents::offered::OfferedDocument;
use crate::foreign::{Foreign, Said, said};
use crate::transfer::propose::{self, Plan, Report, Request};
use crate::workspace::Error;
use clap::Args;
use clap_complete::ArgValueCandidates;

/// What `co propose` says below its options.
pub(super) const HELP: &str = "\
    Copies facts and documents to a branch of the layer's repository, for the team to accept or \
    not. Only their texts and labels are copied, after you have seen them; your own stay as they \
    are. In a layer that was added with --write, they are saved at once.";

/// `co propose`
#[derive(Args, Debug)]
pub struct Propose {
    /// Handles of facts (`12`, `p12`, `sha256:3fa9…`) and topics of documents
    #[arg(value_name = "WHAT", required = true, add = ArgValueCandidates::new(complete::offered))]
    pub facts: Vec<String>,
    /// The layer
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(complete::layers))]
    pub to: String,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Propose {
    fn name(&self) -> &'static str {
        "propose"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let handles = handle::all_meant(cli, self.facts, None)?;
        let request = Request { handles, to: self.to, allowed: self.allow.rules()? };
        let plan = propose::plan(cli.ws, &request)?;
        if !self.yes {
            output::say(&shown(&plan));
            let question = said!("Propose {} to {}", counted(&plan), plan.layer);
            let would = said!("{} would be proposed to {}", counted(&plan), plan.layer);
            prompt::agree_to_loss(cli, question, &would, "use `--yes` to confirm".to_owned())?;
        }
        let about = |error: Error| of_layer::about(Failure::from(error), plan.layer, cli.ws);
        let report = propose::apply(cli.ws, &plan).map_err(about)?;
        Ok(Output::done(told(&report, cli.style), report))
    }
}

/// What others will read.
fn shown(plan: &Plan) -> Said {
    let line = |fact: &propose::Offered| {
        let tags = if fact.tags.is_empty() { String::new() } else { fact.tags.join(", ") };
        let tags = if tags.is_empty() { Said::new() } else { said!("  [{}]", tags) };
        said!("  + {}{}\n", fact.text, tags)
    };
    let document = |document: &OfferedDocument| {
        let what = Said::from(if document.replaces { "  (replaces the layer's)" } else { "" });
        let head = said!("  + {}{}\n", document.topic, what);
        let labels = document.labels().into_iter();
        let labels: Said = labels.map(|(key, value)| said!("    {}: {}\n", key, value)).collect();
        head + labels + Foreign(document.text.trim_end()).quote("    │ ") + "\n"
    };
    let facts: Said = plan.facts.iter().map(line).collect();
    facts + plan.documents.iter().map(document).collect::<Said>()
}

/// How much it is.
fn counted(plan: &Plan) -> Said {
    let facts = plural(plan.facts.len(), "fact", "facts");
    let documents = plural(plan.documents.len(), "document", "documents");
    match (plan.facts.is_empty(), plan.documents.is_empty()) {
        (_, true) => facts,
        (true, false) => documents,
        (false, false) => said!("{} and {}", facts, documents),
    }
}

fn told(report: &Report, style: Style) -> Said {
    let plan = &report.plan;
    let count = counted(plan);
    let Some(branch) = &plan.branch else {
        let head = said!("✓ Saved {} in {}; `co sync` pushes it", count, plan.layer);
        return style.ticked(&head, Style::learned);
    };
    let head = said!("✓ Proposed {} to {}, in its branch {}", count, plan.layer, branch);
    let line = |address: &String| said!("  Open a request: {}\n", address);
    let addresses: Said = report.addresses.iter().map(line).collect();
    style.ticked(&head, Style::learned) + addresses
}
