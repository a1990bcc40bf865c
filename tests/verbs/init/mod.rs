//! `co init`: a new identity, one in a folder that is there, one from a remote, and the agents that
//! it connects.

mod agents;
mod folder;
mod identity;
mod remote;
