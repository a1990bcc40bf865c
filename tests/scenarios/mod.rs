//! What crosses verbs: people, laptops and remotes in one story, and rules that every verb keeps,
//! with the built binary, real git and real files.

mod browser;
mod command_line;
mod every_verb;
mod files;
mod first_questions;
mod generated;
mod git;
mod handles;
mod index;
mod json_envelope;
mod layers;
mod nothing_found;
mod opened_once;
mod output;
mod packages;
mod power_loss;
mod readme;
mod retrieval_figures;
mod screens;
mod sealed_month;
mod sealed_together;
mod secrets;
mod sudo;
mod texts;
mod time;
mod two_laptops;
mod undo_random_order;
mod untrusted_text;
mod words;
