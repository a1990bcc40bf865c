//! When something was learned, as files of other programs say it.
//!
//! Invariant: pure; what is no time is none.

use crate::identity::Stamp;
use serde_json::Value;

/// A date, or seconds or milliseconds since 1970.
pub(super) fn time(value: &Value) -> Option<Stamp> {
    const LATEST_SECOND: f64 = 1e11;
    if let Some(text) = value.as_str() {
        return stamp(text);
    }
    let number = value.as_f64()?;
    let seconds = if number > LATEST_SECOND { number / 1e3 } else { number };
    Some(Stamp::from_micros((seconds * 1e6) as i64))
}

pub(super) fn stamp(text: &str) -> Option<Stamp> {
    Stamp::parse(text).map(|read| read.stamp)
}
