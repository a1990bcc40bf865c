//! `co sync`: what it publishes, to where, what it merges, and what it says of remotes and hooks.

mod addresses;
mod by_itself;
mod cost;
mod deletions;
mod destination;
mod heard_elsewhere;
mod hooks_failing;
mod hooks_hanging;
mod host_keys;
mod interrupted;
mod merges_taken_in;
mod new_facts;
mod numbers;
mod refusals;
mod remotes;
mod scope;
mod servers;
