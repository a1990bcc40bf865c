//! One integration-test binary: each verb, what crosses verbs, laws of the merge, the model of
//! three laptops, crashes, undoing, the architecture.

// The worlds of the tests are made of Unix: sh, ptys, modes, signals.
#![cfg(unix)]
#![allow(
    clippy::too_many_lines,
    reason = "tables of cases and stories are read from top to bottom"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "the lists are about the program; tests build worlds with files, programs and clocks"
)]

mod architecture;
mod circles;
mod faults;
mod laws;
mod links;
mod map;
mod model;
mod scenarios;
mod support;
mod undoing;
mod verbs;
