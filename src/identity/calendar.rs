//! Days as a person counts them, in the time zone that the caller passes in; and how a profile
//! names that zone.
//!
//! Invariant: pure. What is stored stays in UTC; what is shown, asked and compared by day is read
//! here. A bare day in a file, and midnight in UTC (how a bare day is read), are that day in every
//! zone. Must not know: which zone applies, the current time.

use super::{document::Document, stamp::Stamp, value::Value};
use jiff::{
    civil::{Date, DateTime},
    tz::TimeZone,
};

/// One day in microseconds.
const DAY: i64 = 86_400 * Stamp::SECOND;
/// How people call the field of a profile that names their zone; `init` writes the first.
pub const ZONE_FIELDS: &[&str] = &["timezone", "time zone", "time-zone", "time_zone", "tz", "zone"];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Calendar {
    zone: TimeZone,
}

impl Default for Calendar {
    /// Days in UTC.
    fn default() -> Calendar {
        Calendar::in_zone(TimeZone::UTC)
    }
}

impl Calendar {
    pub fn in_zone(zone: TimeZone) -> Calendar {
        Calendar { zone }
    }

    /// The IANA name of the zone, such as `Europe/Berlin`, if it has one.
    pub fn zone_name(&self) -> Option<&str> {
        self.zone.iana_name()
    }

    /// The day on which something happened.
    pub fn day(&self, at: Stamp) -> Date {
        self.local(at).date()
    }

    /// `2026-02-10 09:00`, the form in reports.
    pub fn minute(&self, at: Stamp) -> String {
        self.local(at).strftime("%Y-%m-%d %H:%M").to_string()
    }

    /// The day of a stamp that a file may have as a bare day.
    pub fn day_in_file(&self, at: Stamp) -> Date {
        if is_midnight(at) { Calendar::default().day(at) } else { self.day(at) }
    }

    /// The day of a date or stamp as it is written in a file; `None` if it is neither.
    pub fn day_of_text(&self, text: &str) -> Option<Date> {
        let at = Stamp::parse(text)?.stamp;
        Some(if is_whole_day(text, at) { self.day_in_file(at) } else { self.day(at) })
    }

    /// A stamp of a report in the form of [`Calendar::minute`]; other text stays as it is.
    pub fn minute_of_text(&self, text: &str) -> String {
        Stamp::parse(text).map_or_else(|| text.to_owned(), |read| self.minute(read.stamp))
    }

    /// The first moment of a day. Where clocks skip midnight, the day begins later.
    pub fn start_of(&self, day: Date) -> Option<Stamp> {
        self.moment(day.at(0, 0, 0, 0))
    }

    /// The last moment of a day.
    pub fn end_of(&self, day: Date) -> Option<Stamp> {
        Some(self.start_of(day.tomorrow().ok()?)?.plus(-1))
    }

    /// When clocks show this.
    pub fn moment(&self, shown: DateTime) -> Option<Stamp> {
        let instant = self.zone.to_timestamp(shown).ok()?;
        Some(Stamp::from_micros(instant.as_microsecond()))
    }

    fn local(&self, at: Stamp) -> DateTime {
        self.zone.to_datetime(at.instant())
    }
}

fn is_midnight(at: Stamp) -> bool {
    at.micros().rem_euclid(DAY) == 0
}

/// Whether a text, which reads as this stamp, is a bare day or midnight in UTC.
pub(super) fn is_whole_day(text: &str, at: Stamp) -> bool {
    // `2026-11-19T16:00:00-08:00` is midnight in UTC, and no bare day.
    let hour = text.trim().get(11..16);
    is_midnight(at) && hour.is_none_or(|hour| hour == "00:00")
}

/// `2026-02-10`, as a [`Date`] prints itself.
pub(super) fn text_of(day: Date) -> String {
    let mut text = String::with_capacity("2026-02-10".len());
    push_text_of(day, &mut text);
    text
}

/// Appends [`text_of`] a day.
pub(super) fn push_text_of(day: Date, text: &mut String) {
    // Hot: every fact of a list goes through here.
    let Ok(year) = u16::try_from(day.year()) else { return text.push_str(&day.to_string()) };
    let (month, date) = (day.month().unsigned_abs(), day.day().unsigned_abs());
    let digits = |number: u16| [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
    let ([y1, y2], [y3, y4]) = (digits(year / 100), digits(year % 100));
    let ([m1, m2], [d1, d2]) = (digits(month.into()), digits(date.into()));
    let letters = [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2];
    text.push_str(std::str::from_utf8(&letters).expect("because digits are ASCII"));
}

/// The time zone that a profile names, as it is written there: `- Timezone: Europe/Berlin`, or
/// `timezone` in its frontmatter.
pub fn zone_in(profile: &[u8]) -> Option<String> {
    let document = Document::read(profile).ok()?;
    let in_front = || ZONE_FIELDS.iter().find_map(|key| document.get(key).and_then(Value::text));
    let mut is_code = false;
    let mut fields = document.text().lines().filter_map(|line| {
        let line = line.trim();
        is_code ^= line.starts_with("```") || line.starts_with("~~~");
        if is_code { None } else { zone_of(line) }
    });
    fields.next().or_else(in_front).filter(|zone| !zone.is_empty())
}

/// Whether a field with this key names a time zone.
pub fn names_zone(key: &str) -> bool {
    ZONE_FIELDS.contains(&key.to_lowercase().as_str())
}

/// The value of an item such as `- Timezone: Europe/Berlin` or `* **Time zone**: UTC`.
fn zone_of(line: &str) -> Option<String> {
    let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?;
    let (key, value) = item.split_once(':')?;
    let key = key.trim_matches(['*', '_', ' ']).to_lowercase();
    let value =
        value.trim_matches(|letter: char| letter.is_whitespace() || "*_`\"'".contains(letter));
    (ZONE_FIELDS.contains(&key.as_str()) && !value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::{civil::date, tz};

    fn stamp(text: &str) -> Stamp {
        Stamp::parse(text).expect("a stamp").stamp
    }

    fn hours(hours: i8) -> Calendar {
        Calendar::in_zone(TimeZone::fixed(tz::offset(hours)))
    }

    #[test]
    fn a_day_is_that_of_the_zone() {
        let evening = stamp("2026-11-20T03:00:00.5Z");
        assert_eq!(hours(-8).day(evening), date(2026, 11, 19));
        assert_eq!(hours(-8).minute(evening), "2026-11-19 19:00");
        assert_eq!(Calendar::default().day(evening), date(2026, 11, 20));
        assert_eq!(hours(14).day(stamp("2026-11-20T10:00:01Z")), date(2026, 11, 21));
        assert_eq!(hours(-11).minute_of_text("2026-11-20T10:59:59Z"), "2026-11-19 23:59");
        assert_eq!(hours(-11).minute_of_text("soon"), "soon");
    }

    #[test]
    fn a_bare_day_is_that_day_everywhere() {
        for calendar in [hours(-11), hours(0), hours(14)] {
            for text in ["2026-02-09", "2026-02-09T00:00:00Z", "2026-02-09 00:00:00+00:00"] {
                assert_eq!(calendar.day_of_text(text), Some(date(2026, 2, 9)), "{text}");
            }
            assert_eq!(calendar.day_of_text("yesterday"), None);
        }
        let afternoon = "2026-11-19T16:00:00-08:00";
        assert_eq!(hours(-8).day_of_text(afternoon), Some(date(2026, 11, 19)));
        assert_eq!(hours(-8).day_of_text("2026-02-09T03:00:00"), Some(date(2026, 2, 8)));
    }

    #[test]
    fn a_day_is_written_as_it_prints_itself() {
        for day in [
            date(2026, 2, 9),
            date(1999, 12, 31),
            date(1, 1, 1),
            date(987, 10, 30),
            date(0, 6, 5),
            date(-1, 1, 1),
            Date::MIN,
            Date::MAX,
        ] {
            assert_eq!(text_of(day), day.to_string());
        }
    }

    #[test]
    fn a_day_has_a_beginning_and_an_end() {
        let west = hours(-8);
        let day = date(2026, 11, 19);
        assert_eq!(west.start_of(day), Some(stamp("2026-11-19T08:00:00Z")));
        assert_eq!(west.end_of(day), Some(stamp("2026-11-20T07:59:59.999999Z")));
        assert_eq!(west.end_of(Date::MAX), None);
    }

    #[test]
    fn the_zone_of_a_profile() {
        let zone = |text: &str| zone_in(text.as_bytes());
        let berlin = Some("Europe/Berlin".to_owned());
        for text in [
            "---\nversion: 1\n---\n\n# Profile\n\n- Name: Bin\n- Timezone: Europe/Berlin\n",
            "* **Time zone**: `Europe/Berlin`\n",
            "- **Timezone:** Europe/Berlin\r\n",
            "```\n- Timezone: Asia/Tokyo\n```\n- TZ: Europe/Berlin\n",
            "---\ntimezone: Europe/Berlin\n---\n\nText.\n",
        ] {
            assert_eq!(zone(text), berlin, "{text}");
        }
        assert_eq!(zone("- Timezone:\n"), None);
        assert_eq!(zone("Timezones: all\n- Zoned: no\n"), None);
    }
}
