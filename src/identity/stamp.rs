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
        if let Some(stamp) = written_by_co(text) {
            return Some(ReadStamp { stamp, zoned: true });
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
    pub(super) fn to_seconds(self) -> String {
        Stamp(self.0.div_euclid(Self::SECOND) * Self::SECOND).to_string()
    }
}

/// A stamp to the second or the microsecond with a zone, as co writes it. `None` for every other
/// form, and for what is no time: a parser judges those.
fn written_by_co(text: &str) -> Option<Stamp> {
    // Hot: every fact has one, and most have two.
    let bytes = text.as_bytes();
    let number = |from: usize, digits: usize| {
        let add = |number: i64, digit: &u8| {
            digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0'))
        };
        bytes.get(from..from + digits)?.iter().try_fold(0, add)
    };
    let is = |at: usize, mark: u8| bytes.get(at) == Some(&mark);
    if ![(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')].iter().all(|(at, m)| is(*at, *m))
    {
        return None;
    }
    let days = days_since_1970(number(0, 4)?, number(5, 2)?, number(8, 2)?)?;
    let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    let (micros, zone) = if is(19, b'.') { (number(20, 6)?, 26) } else { (0, 19) };
    let ahead = match bytes.get(zone..)? {
        b"Z" => 0,
        [sign, _, _, b':', _, _] => {
            let (hours, minutes) = (number(zone + 1, 2)?, number(zone + 4, 2)?);
            let is_offset = hours < 24 && minutes < 60;
            match sign {
                b'+' if is_offset => hours * 60 + minutes,
                b'-' if is_offset && hours + minutes > 0 => -(hours * 60 + minutes),
                _ => return None,
            }
        }
        _ => return None,
    };
    let is_time = hour < 24 && minute < 60 && second < 60;
    let seconds = ((days * 24 + hour) * 60 + minute - ahead) * 60 + second;
    is_time.then_some(Stamp(seconds * Stamp::SECOND + micros))
}

/// In the Gregorian calendar; `None` if there is no such day, or if it is at the ends of what a
/// stamp can be. Source: "chrono-Compatible Low-Level Date Algorithms" (Hinnant, 2013).
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1971..9999).contains(&year) || !(1..=length).contains(&day) {
        return None;
    }
    // Counted from March on, the leap day is the last one of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_years = year * 365 + year / 4 - year / 100 + year / 400;
    Some(of_years + (month * 153 + 2) / 5 + day - 719_469)
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
    fn the_usual_form_is_read_as_a_parser_reads_it() {
        let days =
            ["01-01", "02-28", "02-29", "03-01", "04-31", "12-31", "00-10", "13-01", "05-00"];
        let times = ["00:00:00", "23:59:59", "14:30:05.123456", "24:00:00", "10:60:00", "10:00:60"];
        let zones = ["Z", "+00:00", "-00:00", "+02:00", "-08:30", "+23:59", "+24:00", "+01:60", ""];
        let mut read = 0;
        for year in [0, 1, 1969, 1970, 1971, 1999, 2000, 2024, 2026, 2100, 9998, 9999] {
            for (day, time) in days.iter().flat_map(|day| times.iter().map(move |time| (day, time)))
            {
                for zone in zones {
                    let text = format!("{year:04}-{day}T{time}{zone}");
                    let Some(stamp) = written_by_co(&text) else { continue };
                    let parsed = text.parse::<Timestamp>().map(|at| at.as_microsecond());
                    assert_eq!(parsed.ok(), Some(stamp.micros()), "{text}");
                    read += 1;
                }
            }
        }
        assert!(read > 400, "{read}");
        let other = ["2026-02-09T14:30:00.5Z", "2026-02-09t14:30:00Z", "2026-02-09T14:30:00z", ""];
        assert!(other.iter().all(|text| written_by_co(text).is_none()));
    }

    proptest::proptest! {
        #[test]
        fn whatever_co_writes_is_in_the_usual_form(
            micros in 31_536_000_000_000_i64..253_339_228_799_000_000
        ) {
            let stamp = Stamp::from_micros(micros);
            proptest::prop_assert_eq!(written_by_co(&stamp.to_string()), Some(stamp));
            proptest::prop_assert_eq!(written_by_co(&stamp.with_offset()), Some(stamp));
            let parsed = stamp.to_string().parse::<Timestamp>().map(|at| at.as_microsecond());
            proptest::prop_assert_eq!(parsed.ok(), Some(micros));
        }
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
