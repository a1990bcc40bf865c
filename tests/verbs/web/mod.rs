//! `co web`: the server, and the calls of the page.

mod calls;
mod server;
