//! `co skill …`: what agents can do, the same on every laptop.

mod add;
mod adopt;
pub(super) mod followed;
mod list;
mod remove;
mod show;

use super::verb::group;
use add::Add;
use adopt::Adopt;
use list::List;
use remove::Remove;
use show::Show;

group! {
    /// `co skill`
    pub enum Skill {
        /// List the skills of the identity, and which of them you agreed to here
        List(List),
        /// Add a folder with a SKILL.md
        #[command(after_help = add::HELP)]
        Add(Add),
        /// Print a skill: its files, what in it can run, its text
        Show(Show),
        /// Remove a skill, here and, with the next sync, everywhere
        #[command(alias = "rm")]
        Remove(Remove),
        /// Add the skills that agents on this laptop have
        #[command(after_help = adopt::HELP)]
        Adopt(Adopt),
    }
}
