//! `co skill list`: arguments and output. The verb is `integrations::skills::list`.

use crate::cli::{
    failure::Failure,
    output::Output,
    style::Style,
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::skills::list::{self, Listed, State};
use clap::Args;
use serde_json::json;

/// `co skill list`
#[derive(Args, Debug)]
pub struct List {}

impl Verb for List {
    fn name(&self) -> &'static str {
        "skill list"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let all = list::list(cli.ws)?;
        if all.is_empty() {
            let text = "No skills yet. `co skill add DIR` adds one, `co skill adopt` those that \
                your agents have.\n";
            return Ok(Output::data(Said::from(text), json!({ "skills": [] })));
        }
        let text: Said = all.iter().map(|skill| line(skill, cli)).collect();
        Ok(Output::data(text, json!({ "skills": all })))
    }
}

fn line(skill: &Listed, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    // In a line: it may be folded in the file, and of 1,024 characters.
    let words = skill.description.as_deref().unwrap_or_default().split_whitespace();
    let what = style.fit(&words.collect::<Vec<&str>>().join(" "), 42);
    let name = format!("{:<20}", skill.name);
    let state = state(skill.state, style);
    let layer = skill.layer.map_or_else(Said::new, |layer| said!("  (of {})", layer));
    let mut text = said!("{}  {}  {}{}\n", style.strong(said!("{}", name)), state, what, layer);
    text.extend(skill.faults.iter().map(|fault| said!("    {}\n", fault)));
    let shadow = |place: &std::path::PathBuf| {
        said!("    {} is another skill of this name; it was left alone\n", cli.ws.shown(place))
    };
    text.extend(skill.shadowed.iter().map(shadow));
    if !skill.edited.is_empty() {
        let next = format!("`co skill adopt {}`", skill.name);
        text.push(said!("    an agent changed it in place; {} takes that over\n", next));
    }
    text
}

/// In a word, for a person.
pub(super) fn state(state: State, style: Style) -> Said {
    match state {
        State::Agreed => style.learned("agreed"),
        State::Waiting => style.edited("waits: `co review`"),
        State::Rejected => style.dim("rejected"),
        State::Unfit => style.forgotten("unfit"),
    }
}
