//! The rules, the most certain ones first: of two that match the same bytes the first one names the
//! finding.

mod assigned;
mod clouds;
mod code;
mod messages;
mod models;
mod services;
mod vendors;
mod words;

use super::rule::Rule;

/// Every group.
pub(super) static ALL: &[&[Rule]] = &[
    code::RULES,
    models::RULES,
    clouds::RULES,
    messages::RULES,
    services::RULES,
    vendors::RULES,
    words::RULES,
    assigned::RULES,
];

/// How many groups go by the token's own form; those behind them go by the words around.
pub(super) const WORDED: usize = 6;
