//! Dates in a query or a fact: which ones it mentions, and how well a memory fits them.
//!
//! Invariant: pure. What looks like a date but may be a word (`may`, `march`) counts only if the
//! surrounding words say so. Must not know: how dates are written ([`crate::identity::dates`]).

use super::tokens;
use crate::identity::{
    Calendar, Stamp,
    dates::{
        self,
        words::{self, Named, Unit, WeekdayOf},
    },
};
use jiff::civil::Date;
use std::sync::LazyLock;

/// How slowly the score of a later memory decays: e-folding time in days.
const AFTER: f64 = 10.0;
/// The weight of a year without month or day.
const YEAR_ALONE: f64 = 0.5;
/// Where only a time is asked for, a memory of that time counts more by this; what another one
/// means by chance counts less.
const EXACTLY: f64 = 1.5;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NamedTime {
    /// First and last day.
    Days(Date, Date),
    Year(i16),
    /// Of any year: the month, and the day if given.
    Month(i8, Option<i8>),
}

impl NamedTime {
    /// 1 for a memory of a day at that time, less the later it is, 0 for an earlier one.
    pub fn score(self, day: Date) -> f64 {
        match self {
            NamedTime::Days(first, last) => closeness(day, first, last),
            NamedTime::Year(year) => {
                if day.year() == year {
                    YEAR_ALONE
                } else {
                    0.0
                }
            }
            NamedTime::Month(month, named) => {
                let of_year = |year: i16| {
                    let first = Date::new(year, month, named.unwrap_or(1)).ok()?;
                    let last = if named.is_some() { first } else { first.last_of_month() };
                    Some(closeness(day, first, last))
                };
                let years = [day.year(), day.year() - 1];
                years.into_iter().filter_map(of_year).fold(0.0, f64::max)
            }
        }
    }

    fn has(self, day: Date) -> bool {
        match self {
            NamedTime::Days(first, last) => (first..=last).contains(&day),
            NamedTime::Year(year) => day.year() == year,
            NamedTime::Month(month, named) => {
                day.month() == month && named.is_none_or(|named| day.day() == named)
            }
        }
    }
}

fn closeness(day: Date, first: Date, last: Date) -> f64 {
    if day < first {
        return 0.0;
    }
    let after = (day - last).get_days();
    if after <= 0 { 1.0 } else { (-f64::from(after) / AFTER).exp() }
}

/// The times that a query asks for.
#[derive(Clone, Debug, Default)]
pub struct Times {
    whens: Vec<NamedTime>,
    /// How many words it has besides that say something.
    others: usize,
}

impl Times {
    pub fn asked(text: &str, today: Date) -> Times {
        let (whens, others) = read(text, today);
        Times { whens, others }
    }

    /// Whether it asks for nothing else.
    fn are_all(&self) -> bool {
        !self.whens.is_empty() && self.others == 0
    }

    /// Whether it asks for hardly anything else, as in "what was decided in August": a text of that
    /// time is an answer, whatever its words.
    pub fn are_mostly_asked(&self) -> bool {
        !self.whens.is_empty() && self.others <= 1
    }

    /// From 0 to 1; more for a memory of exactly that time if the query asks for nothing else.
    /// `created` is in microseconds since 1970.
    pub fn score(&self, created: i64, calendar: &Calendar) -> f64 {
        if self.whens.is_empty() {
            return 0.0;
        }
        let day = calendar.day_in_file(Stamp::from_micros(created));
        let near = self.whens.iter().map(|when| when.score(day)).fold(0.0, f64::max);
        if self.are_all() && self.has(day) { near + EXACTLY } else { near }
    }

    /// Whether the query asks for nothing but the time of this memory.
    pub fn are_wholly(&self, created: i64, calendar: &Calendar) -> bool {
        self.are_all() && self.has(calendar.day_in_file(Stamp::from_micros(created)))
    }

    fn has(&self, day: Date) -> bool {
        self.whens.iter().any(|when| when.has(day))
    }
}

/// Words that precede a month whose name is also a word, or is abbreviated.
const BEFORE: &[&str] = &[
    "after", "around", "before", "by", "during", "early", "from", "in", "last", "late", "mid",
    "next", "of", "on", "since", "this", "through", "till", "until",
];

static ISO: LazyLock<regex::Regex> = LazyLock::new(|| {
    regex::Regex::new(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b").expect("because it is one")
});

/// All dates that a query mentions. Relative ones are relative to `today`.
pub fn named(text: &str, today: Date) -> Vec<NamedTime> {
    read(text, today).0
}

/// Also how many other words the text has that say something. Capitals are no matter.
fn read(text: &str, today: Date) -> (Vec<NamedTime>, usize) {
    let text = &text.to_lowercase();
    let mut found: Vec<NamedTime> = Vec::new();
    // To compile the pattern takes longer than all else here.
    let has_day = text.contains("-0") || text.contains("-1");
    for day in has_day.then(|| ISO.find_iter(text)).into_iter().flatten() {
        found.extend(words::in_digits(day.as_str()).and_then(|named| meant(named, today)));
    }
    let rest = if has_day { ISO.replace_all(text, " ") } else { text.into() };
    let lower: Vec<String> = rest
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let (mut at, mut others) = (0, 0);
    while at < lower.len() {
        let named = words::named_at(&lower, at);
        let named = named.filter(|(named, _)| is_certain(*named, &lower, at));
        let when = named.and_then(|(named, _)| meant(named, today));
        let end = at + named.map_or(1, |(_, used)| used);
        let says_more = when.is_none() && !lower[at..end].iter().all(|word| says_nothing(word));
        others += usize::from(says_more);
        found.extend(when);
        at = end;
    }
    (found, others)
}

/// The day of a month is part of a date.
fn says_nothing(word: &str) -> bool {
    word.len() == 1 || words::day(word).is_some() || tokens::is_stop_word(word)
}

/// Whether a month is no other word: `may`, `march`, `mar`. One with a day or year never is.
fn is_certain(named: Named, lower: &[String], at: usize) -> bool {
    let Named::Month(_, None) = named else { return true };
    let word = lower[at].as_str();
    let is_other_word = ["may", "march"].contains(&word);
    let is_short = word.len() < 5 && !["june", "july"].contains(&word);
    let before = at.checked_sub(1).map(|at| lower[at].as_str());
    // "This may be so" says no time; "what did I do this May" does.
    let is_verb = word == "may" && before == Some("this") && lower.len() > at + 1;
    let is_led = before.is_some_and(|word| BEFORE.contains(&word)) && !is_verb;
    (!is_other_word && !is_short) || is_led
}

/// What a question or a fact means by a date.
fn meant(named: Named, today: Date) -> Option<NamedTime> {
    let one = |day: Date| (day, day);
    let days = match named {
        Named::Year(year) => return Some(NamedTime::Year(year)),
        Named::Month(month, day) => return Some(NamedTime::Month(month, day)),
        Named::Date(year, month, day) => dates::days_of(year, month, day),
        // `friday` alone may be any, and so may a day of no month.
        Named::Weekday(_, WeekdayOf::Any) | Named::DayOfMonth(_) => None,
        Named::Weekday(weekday, which) => dates::nearest(weekday, which, today).map(one),
        Named::Steps(Unit::Day, steps) => dates::stepped(today, Unit::Day, steps).map(one),
        Named::Period(unit, steps) | Named::Steps(unit, steps) => dates::period(unit, steps, today),
    };
    days.map(|(first, last)| NamedTime::Days(first, last))
}

#[cfg(test)]
mod tests {
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
            assert!(times.score(second, &days) < 1.0, "{alone}");
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
        let today = Times { whens, others: 1 };
        let evening = Stamp::parse("2026-11-20T03:00:00.5Z").expect("a stamp").stamp.micros();
        let west = Calendar::in_zone(jiff::tz::TimeZone::fixed(jiff::tz::offset(-8)));
        assert_eq!(today.score(evening, &west), 1.0);
        assert!(today.score(evening, &Calendar::default()) < 1.0);
        assert_eq!(Times::default().score(evening, &west), 0.0);
    }
}
