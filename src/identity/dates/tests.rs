//! Every form of a date, in the zones and on the days where it could go wrong.

use super::*;
use jiff::{civil::date, tz::TimeZone};

fn zone(name: &str) -> Calendar {
    Calendar::in_zone(TimeZone::get(name).expect("a zone"))
}

fn stamp(text: &str) -> Stamp {
    Stamp::parse(text).expect("a stamp").stamp
}

/// Read on a Friday, at 12:00 UTC.
fn read(text: &str, reading: Reading) -> Result<When, NoDate> {
    let now = stamp("2026-11-27T12:00:00Z");
    DateReader { now, calendar: &Calendar::default(), reading }.read(text)
}

fn days(first: Date, last: Date) -> Result<When, NoDate> {
    Ok(When::Days(first, last))
}

fn day(year: i16, month: i8, day: i8) -> Result<When, NoDate> {
    days(date(year, month, day), date(year, month, day))
}

fn moment(text: &str) -> Result<When, NoDate> {
    Ok(When::Time(stamp(text), stamp(text)))
}

fn minute(text: &str) -> Result<When, NoDate> {
    let first = stamp(text);
    Ok(When::Time(first, first.plus(MINUTE - 1)))
}

#[test]
fn a_day_is_the_same_whoever_asks() {
    for reading in [Reading::Past, Reading::Future] {
        for (text, named) in [
            ("today", day(2026, 11, 27)),
            ("Yesterday", day(2026, 11, 26)),
            (" tomorrow ", day(2026, 11, 28)),
            ("2 days ago", day(2026, 11, 25)),
            ("a week ago", day(2026, 11, 20)),
            ("three weeks ago", day(2026, 11, 6)),
            ("in 2 months", day(2027, 1, 27)),
            ("last friday", day(2026, 11, 20)),
            ("next friday", day(2026, 12, 4)),
            ("Last Mon", day(2026, 11, 23)),
            ("next monday", day(2026, 11, 30)),
            ("march 2025", days(date(2025, 3, 1), date(2025, 3, 31))),
            ("in Feb 2024", days(date(2024, 2, 1), date(2024, 2, 29))),
            ("2024-02", days(date(2024, 2, 1), date(2024, 2, 29))),
            ("last month", days(date(2026, 10, 1), date(2026, 10, 31))),
            ("this week", days(date(2026, 11, 23), date(2026, 11, 29))),
            ("next year", days(date(2027, 1, 1), date(2027, 12, 31))),
            ("2025", days(date(2025, 1, 1), date(2025, 12, 31))),
            ("2026-02-14", day(2026, 2, 14)),
            ("14 Feb 2026", day(2026, 2, 14)),
            ("Feb 14, 2026", day(2026, 2, 14)),
            ("on the 14th of February 2026", day(2026, 2, 14)),
            ("14.2.2026", day(2026, 2, 14)),
            ("2026/02/14", day(2026, 2, 14)),
            ("29 feb 2024", day(2024, 2, 29)),
        ] {
            assert_eq!(read(text, reading), named, "{text}, {reading:?}");
        }
    }
}

#[test]
fn what_comes_again_is_read_as_who_asks_means_it() {
    for (text, past, future) in [
        ("friday", day(2026, 11, 27), day(2026, 11, 27)),
        ("saturday", day(2026, 11, 21), day(2026, 11, 28)),
        ("this thu", day(2026, 11, 26), day(2026, 12, 3)),
        ("Feb 14", day(2026, 2, 14), day(2027, 2, 14)),
        ("31 December", day(2025, 12, 31), day(2026, 12, 31)),
        ("27 Nov", day(2026, 11, 27), day(2026, 11, 27)),
        ("29 Feb", day(2024, 2, 29), day(2028, 2, 29)),
        (
            "march",
            days(date(2026, 3, 1), date(2026, 3, 31)),
            days(date(2027, 3, 1), date(2027, 3, 31)),
        ),
        (
            "november",
            days(date(2026, 11, 1), date(2026, 11, 30)),
            days(date(2026, 11, 1), date(2026, 11, 30)),
        ),
        ("17:05", minute("2026-11-26T17:05:00Z"), minute("2026-11-27T17:05:00Z")),
        ("9:05", minute("2026-11-27T09:05:00Z"), minute("2026-11-28T09:05:00Z")),
        ("12:00", minute("2026-11-27T12:00:00Z"), minute("2026-11-27T12:00:00Z")),
        ("friday 17:05", minute("2026-11-20T17:05:00Z"), minute("2026-11-27T17:05:00Z")),
        ("6mo", day(2026, 5, 27), day(2027, 5, 27)),
        ("2w", day(2026, 11, 13), day(2026, 12, 11)),
        ("90d", day(2026, 8, 29), day(2027, 2, 25)),
        ("1y", day(2025, 11, 27), day(2027, 11, 27)),
        ("1095d", day(2023, 11, 28), day(2029, 11, 26)),
        ("6 months", day(2026, 5, 27), day(2027, 5, 27)),
        ("2h", moment("2026-11-27T10:00:00Z"), moment("2026-11-27T14:00:00Z")),
    ] {
        assert_eq!(read(text, Reading::Past), past, "{text}");
        assert_eq!(read(text, Reading::Future), future, "{text}");
    }
}

#[test]
fn the_end_of_a_time_is_its_last_day() {
    for (text, past, future) in [
        ("end of month", day(2026, 11, 30), day(2026, 11, 30)),
        ("the end of the month", day(2026, 11, 30), day(2026, 11, 30)),
        ("by end of next month", day(2026, 12, 31), day(2026, 12, 31)),
        ("end of week", day(2026, 11, 29), day(2026, 11, 29)),
        ("end of this year", day(2026, 12, 31), day(2026, 12, 31)),
        ("end of year", day(2026, 12, 31), day(2026, 12, 31)),
        ("end of 2027", day(2027, 12, 31), day(2027, 12, 31)),
        ("end of february 2028", day(2028, 2, 29), day(2028, 2, 29)),
        ("End of December", day(2025, 12, 31), day(2026, 12, 31)),
        ("end of november", day(2025, 11, 30), day(2026, 11, 30)),
        ("until the end of the day", day(2026, 11, 27), day(2026, 11, 27)),
        ("end of tomorrow", day(2026, 11, 28), day(2026, 11, 28)),
        ("EOD", day(2026, 11, 27), day(2026, 11, 27)),
        ("eow", day(2026, 11, 29), day(2026, 11, 29)),
        ("eom", day(2026, 11, 30), day(2026, 11, 30)),
        ("eoy", day(2026, 12, 31), day(2026, 12, 31)),
        ("beginning of january", day(2026, 1, 1), day(2027, 1, 1)),
        ("start of next year", day(2027, 1, 1), day(2027, 1, 1)),
        ("end of month 17:05", minute("2026-11-30T17:05:00Z"), minute("2026-11-30T17:05:00Z")),
    ] {
        assert_eq!(read(text, Reading::Past), past, "{text}");
        assert_eq!(read(text, Reading::Future), future, "{text}");
    }
    for text in ["end", "end of", "end of the", "end of time", "mid of month", "end of 3 hours ago"]
    {
        assert_eq!(read(text, Reading::Future), Err(NoDate::Unread), "{text}");
    }
}

#[test]
fn a_day_without_its_year_or_month_comes_again() {
    for (text, past, future) in [
        ("24.12.", day(2025, 12, 24), day(2026, 12, 24)),
        ("1.2.", day(2026, 2, 1), day(2027, 2, 1)),
        ("27.11.", day(2026, 11, 27), day(2026, 11, 27)),
        ("29.2.", day(2024, 2, 29), day(2028, 2, 29)),
        ("24. Dec", day(2025, 12, 24), day(2026, 12, 24)),
        ("the 24th", day(2026, 11, 24), day(2026, 12, 24)),
        ("24.", day(2026, 11, 24), day(2026, 12, 24)),
        ("by the 1st", day(2026, 11, 1), day(2026, 12, 1)),
        ("27th", day(2026, 11, 27), day(2026, 11, 27)),
        // November has none.
        ("31st", day(2026, 10, 31), day(2026, 12, 31)),
    ] {
        assert_eq!(read(text, Reading::Past), past, "{text}");
        assert_eq!(read(text, Reading::Future), future, "{text}");
    }
    for (text, named) in [
        ("24.12.2026", day(2026, 12, 24)),
        ("24.12.26", day(2026, 12, 24)),
        ("day after tomorrow", day(2026, 11, 29)),
        ("the day before yesterday", day(2026, 11, 25)),
        ("two weeks from now", day(2026, 12, 11)),
        ("a week from today", day(2026, 12, 4)),
        ("tonight", day(2026, 11, 27)),
        ("tomorrow noon", minute("2026-11-28T12:00:00Z")),
    ] {
        assert_eq!(read(text, Reading::Future), named, "{text}");
    }
    for text in ["31.2.", "0.12.", "24.13.", "31.2.26"] {
        assert_eq!(read(text, Reading::Future), Err(NoDate::NoSuchDay), "{text}");
    }
}

#[test]
fn a_time_of_day_is_that_minute_and_a_stamp_that_moment() {
    for (text, named) in [
        ("yesterday 17:05", minute("2026-11-26T17:05:00Z")),
        ("17:05 yesterday", minute("2026-11-26T17:05:00Z")),
        ("yesterday at 5:05 PM", minute("2026-11-26T17:05:00Z")),
        ("today 0:00", minute("2026-11-27T00:00:00Z")),
        ("today 12am", minute("2026-11-27T00:00:00Z")),
        ("today 12pm", minute("2026-11-27T12:00:00Z")),
        ("last friday 23:59", minute("2026-11-20T23:59:00Z")),
        ("14 Feb 2026 5pm", minute("2026-02-14T17:00:00Z")),
        ("2026-10-01T09:00", minute("2026-10-01T09:00:00Z")),
        ("2026-10-01 09:00", minute("2026-10-01T09:00:00Z")),
        ("2026-10-01T09:00:30", moment("2026-10-01T09:00:30Z")),
        ("2026-10-01T09:00:30.25Z", moment("2026-10-01T09:00:30.25Z")),
        ("2026-10-01T09:00:30+02:00", moment("2026-10-01T07:00:30Z")),
        ("now", moment("2026-11-27T12:00:00Z")),
        ("3 hours ago", moment("2026-11-27T09:00:00Z")),
        ("in 10 minutes", moment("2026-11-27T12:10:00Z")),
    ] {
        assert_eq!(read(text, Reading::Past), named, "{text}");
    }
}

#[test]
fn what_is_no_date_is_not_guessed_at() {
    for text in [
        "",
        " ",
        "sometime",
        "at",
        "7",
        "2026-",
        "14/02/2026",
        "02-14-2026",
        "o42",
        "HEAD~3",
        "6m",
        "mo",
        "friday the cat",
        "march 17:05",
        "3 hours ago 17:05",
        "since",
        "1234567",
        "٣ weeks ago",
    ] {
        assert_eq!(read(text, Reading::Past), Err(NoDate::Unread), "{text:?}");
    }
    for text in ["31 Feb", "31 feb 2026", "2026-02-31", "29 Feb 2025", "2026-13-01", "30.2.2024"] {
        assert_eq!(read(text, Reading::Future), Err(NoDate::NoSuchDay), "{text}");
    }
    for text in ["25:00", "yesterday 17:65", "13pm", "0am", "24:00", "123:00"] {
        assert_eq!(read(text, Reading::Past), Err(NoDate::NoSuchTime), "{text}");
    }
}

#[test]
fn months_and_years_end_where_they_end() {
    let at = |now: &str, text: &str| {
        let calendar = Calendar::default();
        DateReader { now: stamp(now), calendar: &calendar, reading: Reading::Future }.read(text)
    };
    assert_eq!(at("2024-01-31T10:00:00Z", "1mo"), day(2024, 2, 29));
    assert_eq!(at("2025-01-31T10:00:00Z", "1mo"), day(2025, 2, 28));
    assert_eq!(at("2024-02-29T10:00:00Z", "1y"), day(2025, 2, 28));
    assert_eq!(at("2026-12-31T23:59:59Z", "tomorrow"), day(2027, 1, 1));
    assert_eq!(at("2026-12-31T10:00:00Z", "next month"), days(date(2027, 1, 1), date(2027, 1, 31)));
    assert_eq!(
        at("2027-01-01T00:00:00Z", "last week"),
        days(date(2026, 12, 21), date(2026, 12, 27))
    );
    assert_eq!(at("2027-01-01T00:00:00Z", "last year"), days(date(2026, 1, 1), date(2026, 12, 31)));
}

#[test]
fn a_day_is_the_day_of_the_person() {
    let now = stamp("2026-11-20T03:00:00Z");
    for (name, today, first, last) in [
        (
            "America/Los_Angeles",
            date(2026, 11, 19),
            "2026-11-19T08:00:00Z",
            "2026-11-20T07:59:59.999999Z",
        ),
        (
            "Pacific/Kiritimati",
            date(2026, 11, 20),
            "2026-11-19T10:00:00Z",
            "2026-11-20T09:59:59.999999Z",
        ),
    ] {
        let calendar = zone(name);
        let reader = DateReader { now, calendar: &calendar, reading: Reading::Past };
        let when = reader.read("today").expect("a day");
        assert_eq!(when, When::Days(today, today), "{name}");
        assert_eq!((when.first(&calendar), when.last(&calendar)), (stamp(first), stamp(last)));
    }
    let west = zone("America/Los_Angeles");
    let reader = DateReader { now, calendar: &west, reading: Reading::Past };
    assert_eq!(reader.read("17:05"), minute("2026-11-20T01:05:00Z"));
    assert_eq!(reader.read("19:05"), minute("2026-11-19T03:05:00Z"));
}

#[test]
fn a_time_that_clocks_skip_or_show_twice_is_a_moment() {
    let berlin = zone("Europe/Berlin");
    let now = stamp("2026-11-27T12:00:00Z");
    let reader = DateReader { now, calendar: &berlin, reading: Reading::Past };
    assert_eq!(reader.read("2026-03-29 02:30"), minute("2026-03-29T01:30:00Z"));
    assert_eq!(reader.read("2026-10-25 02:30"), minute("2026-10-25T00:30:00Z"));
    // 23 hours.
    let short = reader.read("2026-03-29").expect("a day");
    assert_eq!(short.last(&berlin), stamp("2026-03-29T21:59:59.999999Z"));
    assert_eq!(short.first(&berlin), stamp("2026-03-28T23:00:00Z"));
    // Clocks went from 23:59 to 01:00.
    let beirut = zone("Asia/Beirut");
    let reader = DateReader { now, calendar: &beirut, reading: Reading::Past };
    let day = reader.read("2022-03-27").expect("a day");
    assert_eq!(day.first(&beirut), stamp("2022-03-26T22:00:00Z"));
}

#[test]
fn the_last_day_of_all_has_an_end() {
    let calendar = Calendar::default();
    let last = read("9999-12-31", Reading::Past).expect("a day");
    assert!(last.last(&calendar) > stamp("9999-12-30T23:59:59Z"));
    assert_eq!(read("in 999 years", Reading::Future), day(3025, 11, 27));
}
