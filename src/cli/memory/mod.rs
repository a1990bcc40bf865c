//! `co memory …`

pub(super) mod edit;
pub(super) mod forget;
pub(super) mod list;
pub(super) mod pin;
pub(super) mod recall;
pub(super) mod save;
pub(super) mod show;

use super::verb::group;
use clap::Subcommand;

/// `co memory`
#[derive(Subcommand, Debug)]
pub enum Memory {
    /// Save a fact
    Save(save::Save),
    /// Find facts that answer a question
    Recall(recall::Recall),
    /// List all facts
    List(list::List),
    /// Print one fact
    Show(show::Show),
    /// Change a fact's text or tags
    Edit(edit::Edit),
    /// Keep a fact on top of lists
    Pin(pin::Pin),
    /// Forget a fact, here and with the next sync everywhere
    #[command(after_help = forget::HELP)]
    Forget(forget::Forget),
}

group!(Memory { Save, Recall, List, Show, Edit, Pin, Forget });
