//! Laws of the dates that people write: what is read lies on the side that was asked for, and a
//! text that was printed is read as what was printed.

use super::{cases, failing_seeds};
use co_cli::tested::identity::{
    Calendar, Stamp,
    dates::{DateReader, Reading, When},
};
use jiff::tz::TimeZone;
use proptest::prelude::*;

const ZONES: [&str; 5] =
    ["UTC", "America/Los_Angeles", "Pacific/Kiritimati", "Europe/Berlin", "Asia/Beirut"];
const AGAIN: [&str; 12] = [
    "monday",
    "this sunday",
    "sat",
    "Feb 14",
    "29 feb",
    "31 december",
    "march",
    "17:05",
    "00:00",
    "23:59",
    "2:30",
    "friday 5pm",
];

fn days_in(zone: &'static str) -> Calendar {
    Calendar::in_zone(TimeZone::get(zone).expect("a zone"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: failing_seeds(), ..ProptestConfig::default() })]

    #[test]
    fn what_comes_again_is_on_the_side_that_was_asked_for(
        seconds in 1_600_000_000_i64..1_900_000_000,
        zone in prop::sample::select(ZONES.to_vec()),
        text in prop::sample::select(AGAIN.to_vec()),
    ) {
        let (now, calendar) = (Stamp::from_micros(seconds * Stamp::SECOND), days_in(zone));
        let read = |reading| DateReader { now, calendar: &calendar, reading }.read(text);
        let (past, future) = (read(Reading::Past), read(Reading::Future));
        let (past, future) = (past.expect("a date"), future.expect("a date"));
        prop_assert!(past.first(&calendar) <= now, "{} {} {:?}", zone, text, past);
        prop_assert!(future.last(&calendar) >= now, "{} {} {:?}", zone, text, future);
        prop_assert!(past.first(&calendar) <= future.first(&calendar));
    }

    #[test]
    fn a_printed_day_or_minute_is_read_as_itself(
        seconds in 1_000_000_000_i64..2_500_000_000,
        zone in prop::sample::select(ZONES.to_vec()),
    ) {
        let (now, calendar) = (Stamp::from_micros(seconds * Stamp::SECOND), days_in(zone));
        let read = |text: &str| {
            DateReader { now, calendar: &calendar, reading: Reading::Past }.read(text)
        };
        let day = calendar.day(now);
        prop_assert_eq!(read(&day.to_string()), Ok(When::Days(day, day)));
        prop_assert_eq!(read("today"), Ok(When::Days(day, day)));
        prop_assert_eq!(read(&now.to_string()), Ok(When::Time(now, now)));
        let minute = calendar.minute(now);
        let read = read(&minute).expect("a minute");
        prop_assert_eq!(&calendar.minute(read.first(&calendar)), &minute);
        prop_assert_eq!(calendar.minute(read.last(&calendar)), minute);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,24}") {
        let calendar = Calendar::default();
        let now = Stamp::from_micros(1_790_000_000_000_000);
        for reading in [Reading::Past, Reading::Future] {
            let _ = DateReader { now, calendar: &calendar, reading }.read(&text);
        }
    }
}
