//! `co skill show`: arguments and output. The verb is `integrations::skills::list`.

use super::{followed, list::state};
use crate::cli::{
    complete,
    failure::Failure,
    output::Output,
    verb::{Cli, Verb},
};
use crate::foreign::{Foreign, said};
use crate::integrations::skills::list;
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co skill show`
#[derive(Args, Debug)]
pub struct Show {
    /// A skill, by its name in `co skill list`
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::skills))]
    pub skill: String,
}

impl Verb for Show {
    fn name(&self) -> &'static str {
        "skill show"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let shown = list::show(cli.ws, &self.skill)?;
        let (listed, style) = (&shown.listed, cli.style);
        let name = style.strong(said!("{}", listed.name));
        let mut text = said!("{}  {}\n", name, state(listed.state, style));
        text.extend(listed.faults.iter().map(|fault| said!("  {}\n", fault)));
        let layer = listed.layer.iter();
        text.extend(layer.map(|layer| said!("  layer    {}\n", layer)));
        text.extend(shown.paths.iter().map(|path| said!("  file     {}\n", path)));
        text.push(followed::programs(&listed.programs));
        let place = |place: &std::path::PathBuf| said!("  found in {}\n", cli.ws.shown(place));
        text.extend(listed.places.iter().map(place));
        text.push(said!("\n"));
        text.push(Foreign(&shown.text).quote("  "));
        Ok(Output::data(text, shown))
    }
}
