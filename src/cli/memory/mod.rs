//! `co memory …`: the group and its verbs.

pub mod confirm;
pub mod edit;
pub mod forget;
mod handles;
pub mod list;
pub mod pin;
pub mod recall;
pub mod save;
pub mod show;
mod similar;
mod times;

use super::verb::group;

group! {
    /// `co memory`
    pub enum Memory {
        /// Save a fact
        Save(save::Save),
        /// Find facts that answer a question
        Recall(recall::Recall),
        /// List all facts
        #[command(after_help = list::HELP)]
        List(list::List),
        /// Print one fact
        Show(show::Show),
        /// Change a fact's text, its tags, or when it holds
        Edit(edit::Edit),
        /// Say that facts still hold
        #[command(after_help = confirm::HELP)]
        Confirm(confirm::Confirm),
        /// Keep a fact in every context
        Pin(pin::Pin),
        /// Stop keeping a fact in every context
        Unpin(pin::Unpin),
        /// Find facts that mean nearly the same
        Similar(similar::Similar),
        /// Forget a fact, here and, with the next sync, everywhere
        #[command(after_help = forget::HELP)]
        Forget(forget::Forget),
    }
}
