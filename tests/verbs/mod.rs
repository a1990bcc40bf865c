//! What each verb does, with the built binary, real git and real files. A file or a folder is named
//! after the command; `architecture` compares them with those that the program has.

mod agent;
mod check;
mod config;
mod context;
mod diff;
mod doctor;
mod edit;
mod handoff;
mod help;
mod hook;
mod identity;
mod init;
mod knowledge;
mod learn;
mod list;
mod log;
mod mcp;
mod memory;
mod profile;
mod propose;
mod recall;
mod review;
mod seal;
mod secret;
mod skill;
mod status;
mod sync;
mod undo;
mod upgrade;
mod web;
