//! `co layer …`: arguments and output. The verbs are `transfer::layers`.

use super::{
    complete,
    failure::Failure,
    output::Output,
    progress::Steps,
    remotes::{PUBLIC, password_in},
    seal::key,
    skill::followed,
    style::{Style, plural},
    verb::{Cli, Needs, Verb, group},
};
use crate::foreign::{Said, said};
use crate::integrations::skills;
use crate::machine::{Context, settings::LayerSettings};
use crate::transfer::{
    init,
    layers::{self, Added, Beside, LayerRow, Report, Request},
};
use crate::workspace::Workspace;
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// What `co layer add` says below its options.
pub(super) const HELP: &str = "\
    A layer is another identity in a git repository of its own: a team's, or one for work. Who may \
    read and write it is decided where the repository is hosted. `--for` takes folders (`~/work`, \
    with all below it) and remotes (`github.com/acme/*`). `co help layers` explains the rest.";

group! {
    /// The verbs of `co layer`.
    pub enum Layer {
        /// Add a layer: fetch it, and read it from now on
        #[command(after_help = HELP)]
        Add(Add),
        /// List the layers, from far to near
        List(List),
        /// Show where a layer is, and what it contains
        Show(Show),
        /// Change the order: what is nearer wins
        Move(Move),
        /// Remove a layer from the list; its folder and its repository stay
        Remove(Remove),
    }
}

/// `co layer add`
#[derive(Args, Debug)]
pub struct Add {
    /// Its name, such as acme
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Its repository, or a folder with an identity; without it, a new, empty identity is created
    /// here
    #[arg(value_name = "URL|DIR")]
    pub target: Option<String>,
    /// Only in this folder, or in repositories with this remote; may be given several times
    #[arg(long = "for", value_name = "PATTERN")]
    pub places: Vec<String>,
    /// Replaces your own identity there, which is no longer read there
    #[arg(long, requires = "places")]
    pub instead: bool,
    /// Write to it, and push
    #[arg(long)]
    pub write: bool,
    /// Its rules (`enforced: true`) come before yours and the project's
    #[arg(long)]
    pub enforce: bool,
    /// If it is sealed: read its recovery key or passphrase from a file, `-` for standard input
    #[arg(long, value_name = "FILE", requires = "target")]
    pub key: Option<String>,
}

impl Verb for Add {
    fn name(&self) -> &'static str {
        "layer add"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let layer = LayerSettings {
            name: self.name,
            places: self.places,
            instead: self.instead,
            write: self.write,
            enforce: self.enforce,
            path: None,
        };
        let passwords = self.target.iter().flat_map(|url| password_in(url)).collect::<Vec<_>>();
        let key = key::named(cli, self.key.as_deref())?;
        let mut request = Request { layer, target: self.target, key };
        let added = added(cli, &mut request)?;
        let text = told(&added, cli.ws, cli.style) + agents_told(cli)?;
        let mut output = Output::done(text, added.clone());
        output.warnings.extend(added.warnings);
        output.warnings.extend(passwords);
        output.warnings.extend(added.is_public.then(|| PUBLIC.to_owned()));
        Ok(output)
    }
}

/// A person is asked for the key of a sealed repository that none on this laptop opens.
fn added(cli: &Cli<'_>, request: &mut Request) -> Result<Added, Failure> {
    loop {
        let steps = Steps::new(cli);
        let added = layers::add(cli.ws, request, &|step| steps.at(step));
        steps.end();
        match added {
            Err(error) if request.key.is_none() && cli.asks && init::is_sealed(&error) => {
                let url = request.target.as_deref().unwrap_or("the remote");
                request.key = Some(key::asked_to_keep(cli, url)?);
            }
            other => return Ok(other?),
        }
    }
}

/// What agents' folders have after the list changed: with what it is now.
fn agents_told(cli: &Cli<'_>) -> Result<Said, Failure> {
    let now = Workspace::open(cli.ws.anew(None)?);
    Ok(followed::told(&skills::follow(&now), cli))
}

fn told(added: &Added, context: &Context, style: Style) -> Said {
    let row = &added.layer;
    let head = said!("✓ Added {}: {}", row.name, contents(row));
    let place = said!("  {}\n", style.dim(context.shown(&row.folder)));
    let what = match (row.instead, row.write) {
        (true, _) => said!(
            "  In {}, it stands in for your own identity, which is not read there.\n",
            row.places.join(", ")
        ),
        (false, true) => said!("  `co learn --layer {} TEXT` writes to it.\n", row.name),
        (false, false) => Said::from("  It is read-only here; `co sync` fetches what is new.\n"),
    };
    style.ticked(&head, Style::learned) + place + what
}

fn contents(row: &LayerRow) -> Said {
    if !row.exists {
        return Said::from("not there");
    }
    said!(
        "{}, {}",
        plural(row.counts.memories, "fact", "facts"),
        plural(row.counts.documents, "document", "documents")
    )
}

/// `co layer list`
#[derive(Args, Debug)]
pub struct List {}

impl Verb for List {
    fn name(&self) -> &'static str {
        "layer list"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = layers::list(cli.ws);
        Ok(Output::data(listed(&report, cli.style), report))
    }
}

fn listed(report: &Report, style: Style) -> Said {
    if report.layers.is_empty() {
        return Said::from("No layers. `co layer add NAME URL` adds a team's identity.\n");
    }
    report.layers.iter().map(|row| line(row, style)).collect()
}

fn line(row: &LayerRow, style: Style) -> Said {
    let mut about = vec![contents(row)];
    about.extend(row.instead.then(|| Said::from("instead of you")));
    about.push(Said::from(if row.write { "writable" } else { "read-only" }));
    about.extend(row.enforce.then(|| Said::from("enforced")));
    if !row.places.is_empty() {
        about.push(said!("in {}", row.places.join(", ")));
    }
    about.extend((!row.active).then(|| Said::from("not here")));
    let sealed = if row.sealed { " (sealed)" } else { "" };
    let url = row.url.iter().map(|url| said!("  {}{}", url, sealed)).collect::<Said>();
    said!("{}  {}{}\n", style.strong(&row.name), Said::joined(about, ", "), style.dim(url))
}

/// `co layer show`
#[derive(Args, Debug)]
pub struct Show {
    /// Its name
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::layers))]
    pub name: String,
}

impl Verb for Show {
    fn name(&self) -> &'static str {
        "layer show"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let row = layers::show(cli.ws, &self.name)?;
        let folder = said!("  {}\n", cli.style.dim(cli.ws.shown(&row.folder)));
        Ok(Output::data(line(&row, cli.style) + folder, row))
    }
}

/// `co layer move`
#[derive(Args, Debug)]
pub struct Move {
    /// Its name
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::layers))]
    pub name: String,
    /// Farther than this one
    #[arg(long, value_name = "NAME", conflicts_with = "after", required_unless_present = "after")]
    pub before: Option<String>,
    /// Nearer than this one
    #[arg(long, value_name = "NAME")]
    pub after: Option<String>,
}

impl Verb for Move {
    fn name(&self) -> &'static str {
        "layer move"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let place = match (self.before, self.after) {
            (Some(other), _) => Beside::Before(other),
            (None, other) => Beside::After(other.unwrap_or_default()),
        };
        let order = layers::reorder(cli.ws, &self.name, &place)?;
        let text = said!("From far to near: {}, then you.\n", order.join(", "));
        Ok(Output::done(text, json!({ "layers": order })))
    }
}

/// `co layer remove`
#[derive(Args, Debug)]
pub struct Remove {
    /// Its name
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::layers))]
    pub name: String,
}

impl Verb for Remove {
    fn name(&self) -> &'static str {
        "layer remove"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let removed = layers::remove(cli.ws, &self.name)?;
        let head = said!("✓ Removed {}: it is no longer read", removed.name);
        let head = cli.style.ticked(&head, Style::forgotten);
        let stays = said!("  Its folder stays: {}\n", cli.ws.shown(&removed.folder));
        Ok(Output::done(head + stays + agents_told(cli)?, removed))
    }
}
