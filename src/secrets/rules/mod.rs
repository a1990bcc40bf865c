//! The rules, the most certain first: if two match the same bytes, the first one names the finding.

mod assigned;
mod clouds;
mod code;
mod messages;
mod models;
mod places;
mod services;
mod vendor_beside;

use super::rule::Rule;

pub(super) static ALL: &[&[Rule]] = &[
    code::RULES,
    models::RULES,
    clouds::RULES,
    messages::RULES,
    services::RULES,
    vendor_beside::RULES,
    places::RULES,
    assigned::RULES,
];

/// How many groups match a token's own form; the rest rely on the words around it.
pub(super) const WORDED: usize = 6;
