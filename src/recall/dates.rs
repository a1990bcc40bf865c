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

    /// Whether nothing can have been learned then.
    fn is_to_come(self, today: Date) -> bool {
        match self {
            NamedTime::Days(first, _) => first > today,
            NamedTime::Year(year) => year > today.year(),
            NamedTime::Month(..) => false,
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
    /// Whether it asks for more than what was learned then.
    asks_more: bool,
    /// Whether a time is counted from today: where a text says `yesterday`, it means another day.
    is_relative: bool,
    /// Whether a day is written in digits.
    is_in_digits: bool,
}

impl Times {
    pub fn asked(text: &str, today: Date) -> Times {
        read(text, today)
    }

    /// The same beside phrases that must or should occur, which are more than a time.
    #[must_use]
    pub fn beside_phrases(self) -> Times {
        Times { asks_more: true, ..self }
    }

    /// Whether it asks for nothing but what was learned then, as in "what did I learn yesterday":
    /// all texts of that time are answers, and come first.
    pub fn are_alone(&self) -> bool {
        !self.whens.is_empty() && !self.asks_more
    }

    /// Whether a text of another day is an answer only if it is [`Times::are_said`] by it: that one
    /// says `2012` tells enough.
    pub fn leave_out_others(&self) -> bool {
        self.are_alone() && (self.is_relative || self.is_in_digits)
    }

    /// Whether a text of another day says the time, told from what its phrase counts. One that says
    /// `yesterday` means another day.
    pub fn are_said(&self, phrase: f64) -> bool {
        !self.is_relative && phrase > 0.0
    }

    /// Whether `named` is a time, which is then one of these.
    fn add(&mut self, named: Named, today: Date) -> bool {
        let Some(when) = meant(named, today) else { return false };
        let is_counted = matches!(named, Named::Steps(..) | Named::Period(..) | Named::Weekday(..));
        self.is_relative |= is_counted;
        self.asks_more |= when.is_to_come(today);
        self.whens.push(when);
        true
    }

    /// Whether it asks for hardly anything else, as in "what was decided in August": a text of that
    /// time is an answer, whatever its words.
    pub fn are_mostly_asked(&self) -> bool {
        !self.whens.is_empty() && self.others <= 1
    }

    /// From 0 to 1. If the query asks for nothing else, more for a memory of exactly that time, and
    /// 0 for any other: what was learned the day after is no answer.
    /// `created` is in microseconds since 1970.
    pub fn score(&self, created: i64, calendar: &Calendar) -> f64 {
        if self.whens.is_empty() {
            return 0.0;
        }
        let day = calendar.day_in_file(Stamp::from_micros(created));
        let near = self.whens.iter().map(|when| when.score(day)).fold(0.0, f64::max);
        if !self.are_alone() {
            return near;
        }
        if self.has(day) { near + EXACTLY } else { 0.0 }
    }

    /// Whether the query asks for nothing but the time of this memory.
    pub fn are_wholly(&self, created: i64, calendar: &Calendar) -> bool {
        self.are_alone() && self.has(calendar.day_in_file(Stamp::from_micros(created)))
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

/// Words that ask for what was learned, besides those that say nothing at all.
const OF_LEARNING: &str = include_str!("words/of_learning.txt");
/// Function words with which a question asks for somebody (who may be called June), or for a time
/// before or after the one that it names.
const OF_MORE: &[&str] =
    &["after", "around", "before", "by", "since", "till", "until", "who", "whom", "whose"];

static ISO: LazyLock<regex::Regex> = LazyLock::new(|| {
    regex::Regex::new(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b").expect("because it is one")
});

/// All dates that a query mentions. Relative ones are relative to `today`.
pub fn named(text: &str, today: Date) -> Vec<NamedTime> {
    read(text, today).whens
}

/// The times of a text, and what it has besides. Capitals are no matter.
fn read(text: &str, today: Date) -> Times {
    let (days, rest) = days_in_digits(&text.to_lowercase());
    let mut read = Times::default();
    for named in days {
        read.is_in_digits |= matches!(named, Named::Date(_, _, Some(_)));
        read.add(named, today);
    }
    let lower: Vec<String> = rest
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let mut at = 0;
    while at < lower.len() {
        let named = words::named_at(&lower, at);
        let named = named.filter(|(named, _)| is_certain(*named, &lower, at));
        let end = at + named.map_or(1, |(_, used)| used);
        if !named.is_some_and(|(named, _)| read.add(named, today)) {
            let beside = &lower[at..end];
            read.others += usize::from(!beside.iter().all(|word| says_nothing(word)));
            read.asks_more |= beside.iter().any(|word| asks_more(word));
        }
        at = end;
    }
    read
}

/// The days in digits of a text in lower case, and the text without them.
fn days_in_digits(text: &str) -> (Vec<Named>, String) {
    let mut found: Vec<Named> = Vec::new();
    // To compile the pattern takes longer than all else here.
    let has_day = text.contains("-0") || text.contains("-1");
    let iso = has_day.then(|| ISO.find_iter(text)).into_iter().flatten();
    found.extend(iso.filter_map(|day| words::in_digits(day.as_str())));
    let rest = if has_day { ISO.replace_all(text, " ") } else { text.into() };
    let mut others: Vec<&str> = Vec::new();
    for word in rest.split_whitespace() {
        match in_marks(word) {
            Some(named) => found.push(named),
            None => others.push(word),
        }
    }
    (found, others.join(" "))
}

/// A day as a word by itself whose order and year leave no doubt: `14.2.2026`, `2026/02/14`. What
/// may be a version, a price or a path is none.
fn in_marks(word: &str) -> Option<Named> {
    let word = word.trim_matches([',', ';', ':', '?', '!', '(', ')', '"', '\'']);
    let word = word.trim_end_matches('.');
    let is_from_year = word.contains('/');
    let year = if is_from_year { word.split('/').next() } else { word.rsplit('.').next() };
    let named = year.filter(|year| year.len() == 4).and_then(|_| words::in_digits(word))?;
    matches!(named, Named::Date(1900..=2099, _, Some(_))).then_some(named)
}

/// Whether a word beside a time asks for more than what was learned then.
fn asks_more(word: &str) -> bool {
    let is_of_learning = || OF_LEARNING.lines().any(|one| one == word);
    OF_MORE.contains(&word) || !(says_nothing(word) || is_of_learning())
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
mod tests;
