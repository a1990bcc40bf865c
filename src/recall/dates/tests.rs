//! Which times a question names, whether it asks for more, and how well a memory fits them.

use super::*;
use jiff::civil::date;

fn of(text: &str) -> Vec<NamedTime> {
    named(text, date(2026, 11, 22))
}

#[test]
fn dates_as_people_write_them() {
    let days = |a, b| vec![NamedTime::Days(a, b)];
    let may = (date(2023, 5, 1), date(2023, 5, 31));
    assert_eq!(of("What happened in May 2023?"), days(may.0, may.1));
    assert_eq!(of("on 8 May, 2023"), days(date(2023, 5, 8), date(2023, 5, 8)));
    assert_eq!(of("the 8th of May 2023"), days(date(2023, 5, 8), date(2023, 5, 8)));
    assert_eq!(of("on May 8th"), [NamedTime::Month(5, Some(8))]);
    assert_eq!(of("since 2023-05-08"), days(date(2023, 5, 8), date(2023, 5, 8)));
    assert_eq!(of("in 2022"), [NamedTime::Year(2022)]);
    assert_eq!(of("what did I do in August"), [NamedTime::Month(8, None)]);
}

#[test]
fn dates_relative_to_now() {
    // A Sunday.
    let days = |a, b| vec![NamedTime::Days(a, b)];
    assert_eq!(of("yesterday"), days(date(2026, 11, 21), date(2026, 11, 21)));
    assert_eq!(of("last week"), days(date(2026, 11, 9), date(2026, 11, 15)));
    assert_eq!(of("last month"), days(date(2026, 10, 1), date(2026, 10, 31)));
    assert_eq!(of("3 days ago"), days(date(2026, 11, 19), date(2026, 11, 19)));
    assert_eq!(of("last Friday"), days(date(2026, 11, 20), date(2026, 11, 20)));
}

#[test]
fn days_in_digits_are_what_options_take_and_no_versions() {
    let day = [NamedTime::Days(date(2026, 11, 26), date(2026, 11, 26))];
    for text in ["26.11.2026", "on 26.11.2026?", "(2026/11/26)", "on 26.11.2026. and then"] {
        assert_eq!(of(text), day, "{text}");
        assert!(Times::asked(text, date(2026, 11, 27)).are_mostly_asked(), "{text}");
    }
    for text in [
        "1.2.3",
        "12.500",
        "14.2.26",
        "2026.2.14",
        "2026.02",
        "10.26.11.2026",
        "v1.2.2026",
        "26/11/2026",
        "notes/2026/11/26.md",
        "31.2.2026",
        "1.99.2026",
        "1.2.2026-rc",
    ] {
        assert!(!of(text).iter().any(|when| matches!(when, NamedTime::Days(..))), "{text}");
    }
    assert!(of("31.2.2026").is_empty(), "not the year either");
    let before = date(2026, 11, 20);
    assert_eq!(of("the day before yesterday"), [NamedTime::Days(before, before)]);
}

#[test]
fn what_asks_for_a_time_alone() {
    let are_alone = |text: &str| Times::asked(text, date(2026, 11, 22)).are_alone();
    for text in [
        "what did I learn yesterday",
        "what did I save in March",
        "anything from last week",
        "what happened on 10 March",
        "what did I tell you and write today",
        "in march 2024",
        "what was decided two days ago",
        "what's new this week",
        "2025",
        "notes of 14.2.2026",
    ] {
        assert!(are_alone(text), "{text}");
    }
    for text in [
        "what did I learn about Rust yesterday",
        "who is June",
        "what happened since March",
        "what did I write before 2024",
        "what happens tomorrow",
        "what did I learn",
        "1.2.3",
        "12 December 2026",
    ] {
        assert!(!are_alone(text), "{text}");
    }
    let leave_out = |text: &str| Times::asked(text, date(2026, 11, 22)).leave_out_others();
    assert!(leave_out("yesterday") && leave_out("what did I note last month"));
    assert!(!leave_out("in march") && !leave_out("what happened in 2024"));
}

#[test]
fn words_are_no_dates() {
    assert!(of("what may I eat on a march through 8 cities").is_empty());
    assert!(of("May I come in?").is_empty());
    assert!(of("12 angry men, 4 years old").is_empty());
    assert!(of("mar the surface, dec the halls").is_empty());
    assert!(of("this may be wrong").is_empty());
}

#[test]
fn capitals_are_no_matter() {
    for text in [
        "What did I do in May",
        "the 8th OF May",
        "Yesterday",
        "this MAY",
        "LAST Friday",
        "On 8 MAY 2023",
        "Three Days Ago",
        "since March",
    ] {
        assert!(!of(text).is_empty(), "{text}");
        assert_eq!(of(&text.to_lowercase()), of(text), "{text}");
        assert_eq!(of(&text.to_uppercase()), of(text), "{text}");
    }
}

#[test]
fn a_memory_of_that_time_counts_most() {
    let may = NamedTime::Days(date(2023, 5, 1), date(2023, 5, 31));
    assert_eq!(may.score(date(2023, 5, 8)), 1.0);
    assert_eq!(may.score(date(2023, 4, 30)), 0.0);
    let later = may.score(date(2023, 6, 10));
    assert!((later - (-1.0_f64).exp()).abs() < 1e-9, "{later}");
    assert_eq!(NamedTime::Month(5, None).score(date(2021, 5, 3)), 1.0);
    assert_eq!(NamedTime::Year(2023).score(date(2023, 5, 8)), 0.5);
}

#[test]
fn a_question_for_a_day_alone_is_answered_with_that_day() {
    let today = date(2026, 11, 20);
    let at = |text: &str| Stamp::parse(text).expect("a stamp").stamp.micros();
    let (first, second) = (at("2026-11-19T05:00:00.5Z"), at("2026-11-20T05:00:00.5Z"));
    let days = Calendar::default();
    for alone in ["yesterday", "what did I do yesterday?", "on 19 November", "2026-11-19"] {
        let times = Times::asked(alone, today);
        assert_eq!(times.score(first, &days), 1.0 + EXACTLY, "{alone}");
        assert_eq!(times.score(second, &days), 0.0, "{alone}");
    }
    for other in ["the dentist yesterday", "yesterday basil", "nothing of a day"] {
        assert!(Times::asked(other, today).score(first, &days) <= 1.0, "{other}");
    }
    for (text, mostly) in [
        ("yesterday", true),
        ("what did we decide in August", true),
        ("which constellation is above the house in August", false),
        ("who decides", false),
    ] {
        assert_eq!(Times::asked(text, today).are_mostly_asked(), mostly, "{text}");
    }
}

#[test]
fn a_memory_is_of_the_day_on_which_a_person_learned_it() {
    let whens = vec![NamedTime::Days(date(2026, 11, 19), date(2026, 11, 19))];
    let today =
        Times { whens, others: 1, asks_more: true, is_relative: false, is_in_digits: false };
    let evening = Stamp::parse("2026-11-20T03:00:00.5Z").expect("a stamp").stamp.micros();
    let west = Calendar::in_zone(jiff::tz::TimeZone::fixed(jiff::tz::offset(-8)));
    assert_eq!(today.score(evening, &west), 1.0);
    assert!(today.score(evening, &Calendar::default()) < 1.0);
    assert_eq!(Times::default().score(evening, &west), 0.0);
}
