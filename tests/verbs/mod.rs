//! What each verb does, with the built binary (values also in process), real git and real files. A
//! file or a folder is named after the command; `architecture` compares them with those that the
//! program has.

mod agent;
mod check;
mod completions;
mod config;
mod confirm;
mod context;
mod diff;
mod doctor;
mod edit;
mod forget;
mod handoff;
mod help;
mod hook;
mod identity;
mod init;
mod knowledge;
mod layer;
mod learn;
mod list;
mod log;
mod mcp;
mod memory;
mod pin;
mod profile;
mod propose;
mod recall;
mod redo;
mod review;
mod seal;
mod secret;
mod show;
mod skill;
mod status;
mod sync;
mod undo;
mod upgrade;
mod web;
