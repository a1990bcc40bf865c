//! An instant, to the microsecond, in the form that identity files use (RFC 3339).
//!
//! Invariant: parsing what [`Stamp`] prints gives the same stamp. Must not know: the current time;
//! callers pass it in.

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Microseconds since 1970-01-01T00:00:00Z.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Stamp(i64);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadStamp {
    /// UTC if no zone was written.
    pub stamp: Stamp,
    /// Whether the text had a zone; `check` reports it if not.
    pub zoned: bool,
}

impl Stamp {
    /// The step between an action's stamp and that of the next action, in microseconds.
    pub const SECOND: i64 = 1_000_000;
    /// What `init` writes for unanswered questions: older than anything that a person sets.
    pub const EPOCH: Stamp = Stamp(0);

    pub const fn from_micros(micros: i64) -> Stamp {
        Stamp(micros)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }

    pub const fn plus(self, micros: i64) -> Stamp {
        Stamp(self.0.saturating_add(micros))
    }

    /// The same second with 1 to 999,999 microseconds: a copy gets the same origin on every laptop.
    pub fn with_fraction(self, micros: u32) -> Stamp {
        Stamp(self.0.div_euclid(Self::SECOND) * Self::SECOND + i64::from(micros))
    }

    /// Finer than a second, as every stamp by `co` is; several facts may share a coarse one.
    pub const fn is_precise(self) -> bool {
        self.0 % Self::SECOND != 0
    }

    /// Reads RFC 3339, also with a space for the `T`, without a zone, or as a bare date.
    pub fn parse(text: &str) -> Option<ReadStamp> {
        let text = text.trim();
        if !text.starts_with(|c: char| c.is_ascii_digit()) || text.len() < 10 {
            return None;
        }
        if let Ok(instant) = text.parse::<Timestamp>() {
            return Some(ReadStamp { stamp: Stamp::within(instant.as_microsecond()), zoned: true });
        }
        let (civil, zoned) = match text.parse::<DateTime>() {
            Ok(civil) => (civil, false),
            // The last hours of year 9999 form a valid date beyond the last instant.
            Err(_) => {
                (text.get(..19)?.parse::<DateTime>().ok().filter(|at| at.year() > 9998)?, true)
            }
        };
        let instant = civil.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |at| at.timestamp());
        Some(ReadStamp { stamp: Stamp::within(instant.as_microsecond()), zoned })
    }

    /// At most a day before the last instant, so that a later stamp can still be written.
    fn within(micros: i64) -> Stamp {
        Stamp(micros.min(Timestamp::MAX.as_microsecond() - 86_400 * Stamp::SECOND))
    }

    pub(super) fn instant(self) -> Timestamp {
        Timestamp::from_microsecond(self.0).unwrap_or(if self.0 < 0 {
            Timestamp::MIN
        } else {
            Timestamp::MAX
        })
    }

    /// `2026-02-10T09:00:00.123456+00:00`, the form in memories.
    pub fn with_offset(self) -> String {
        let text = self.to_string();
        format!("{}+00:00", text.trim_end_matches('Z'))
    }

    /// `2026-02-10T09:00:00Z`, to the second.
    pub fn to_seconds(self) -> String {
        Stamp(self.0.div_euclid(Self::SECOND) * Self::SECOND).to_string()
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 % Self::SECOND == 0 {
            write!(f, "{:.0}", self.instant())
        } else {
            write!(f, "{:.6}", self.instant())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        let at = |text: &str| Stamp::parse(text).map(|r| (r.stamp.to_string(), r.zoned));
        let some = |text: &str, zoned| Some((text.to_owned(), zoned));
        assert_eq!(at("2026-02-09T14:30:00Z"), some("2026-02-09T14:30:00Z", true));
        assert_eq!(at("2026-02-09T14:30:00+02:00"), some("2026-02-09T12:30:00Z", true));
        assert_eq!(at("2026-02-09 14:30:00.5+00:00"), some("2026-02-09T14:30:00.500000Z", true));
        assert_eq!(at("2026-02-09T14:30:00"), some("2026-02-09T14:30:00Z", false));
        assert_eq!(at("2026-02-09"), some("2026-02-09T00:00:00Z", false));
        assert!(at("9999-12-31T23:59:59Z").is_some_and(|(_, zoned)| zoned));
        assert!(at("9999-12-31").is_some());
        assert_eq!(at("yesterday"), None);
        assert_eq!(at(""), None);
        assert_eq!(at("12"), None);
    }

    #[test]
    fn what_is_printed_is_read_back() {
        for micros in [0, 1, -1, 1_770_647_400_000_000, 1_770_647_400_123_456] {
            let stamp = Stamp::from_micros(micros);
            assert_eq!(Stamp::parse(&stamp.to_string()).map(|r| r.stamp), Some(stamp));
            assert_eq!(Stamp::parse(&stamp.with_offset()).map(|r| r.stamp), Some(stamp));
        }
    }
}
