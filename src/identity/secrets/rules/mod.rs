//! The rules, the most certain ones first: of two that match the same bytes the first one names the
//! finding.

mod assigned;
mod clouds;
mod code;
mod messages;
mod models;
mod services;
mod words;

use super::rule::Rule;

/// Every group.
pub(super) static ALL: &[&[Rule]] = &[
    code::RULES,
    models::RULES,
    clouds::RULES,
    messages::RULES,
    services::RULES,
    words::RULES,
    assigned::RULES,
];
