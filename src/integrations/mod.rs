//! The verbs for what is beside co on a laptop: agents, plain git, the keyring; and what an agent
//! reads at the start of a session.
//!
//! Invariant: another program's file is changed only in co's own part, after a plan that shows it,
//! and comes back byte for byte. Must not know how an identity is set up, moved, exported or
//! imported.

pub mod agent;
pub mod context;
pub mod git_hooks;
pub mod handoff;
pub mod secret;
pub mod skills;
pub mod timer;
