//! `co mcp`: the server for agents, over the protocol alone.

mod arguments;
mod requests;
mod sessions;
