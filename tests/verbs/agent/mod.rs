//! `co agent`: connecting agents, taking in what they know, and their notes.

mod adopted;
mod antigravity;
mod consolidations;
mod import;
mod import_after_review;
mod import_texts;
mod install;
mod note_places;
mod notes;
