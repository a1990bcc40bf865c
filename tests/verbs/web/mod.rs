//! `co web`: the server, the calls of the page, and the page in a real browser.

mod calls;
mod server;
