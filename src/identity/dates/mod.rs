//! The one reader of dates and times as people write them: `yesterday`, `last friday 17:05`,
//! `14 Feb 2026`, `3 weeks ago`, `6mo`, and stamps.
//!
//! Invariant: pure. A text is read as a whole or not at all; what names a day that no calendar has
//! is said to. Where a text fits several days, the [`Reading`] decides. Must not know: who asks,
//! the current time; both are passed in.

pub mod words;

use super::{calendar::Calendar, stamp::Stamp};
use jiff::{
    ToSpan,
    civil::{Date, Time},
};
use words::{Edge, Named, Unit, WeekdayOf};

const MINUTE: i64 = 60 * Stamp::SECOND;
/// Within so many years there is a 29 February.
const MAX_TURNS: i16 = 8;
/// Words that say nothing beside a date.
const FILLERS: &[&str] = &["at", "on", "the"];
const BEFORE_DATE: &[&str] = &["by", "from", "in", "since", "until"];

/// Which of several days a text means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// The latest that has begun: `friday` is today or one of the six days before.
    Past,
    /// The first that is not over.
    Future,
}

/// What a text names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// The first and the last day.
    Days(Date, Date),
    /// The first and the last moment: a minute, or both the same.
    Time(Stamp, Stamp),
}

impl When {
    pub fn first(self, calendar: &Calendar) -> Stamp {
        match self {
            When::Days(first, _) => {
                calendar.start_of(first).unwrap_or(Stamp::from_micros(i64::MIN))
            }
            When::Time(first, _) => first,
        }
    }

    pub fn last(self, calendar: &Calendar) -> Stamp {
        match self {
            When::Days(_, last) => calendar.end_of(last).unwrap_or(Stamp::from_micros(i64::MAX)),
            When::Time(_, last) => last,
        }
    }
}

/// Why a text is no date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoDate {
    Unread,
    /// `31 Feb`
    NoSuchDay,
    /// `25:00`
    NoSuchTime,
}

/// Reads dates for somebody who asks now.
#[derive(Clone, Copy, Debug)]
pub struct DateReader<'a> {
    pub now: Stamp,
    pub calendar: &'a Calendar,
    pub reading: Reading,
}

/// What a text says of a day and of the time of that day.
#[derive(Clone, Copy, Default)]
struct Asked {
    day: Option<Named>,
    edge: Edge,
    clock: Option<Clock>,
}

/// A time of day, and how long it is after its first microsecond.
#[derive(Clone, Copy)]
struct Clock {
    time: Time,
    lasts: i64,
}

impl DateReader<'_> {
    pub fn read(&self, text: &str) -> Result<When, NoDate> {
        if let Some(read) = Stamp::parse(text).filter(|read| read.zoned) {
            return Ok(When::Time(read.stamp, read.stamp));
        }
        let words = words_of(text);
        if words == ["now"] || words == ["just", "now"] {
            return Ok(When::Time(self.now, self.now));
        }
        if let Some((unit, count)) = span_of(&words) {
            let steps = if self.reading == Reading::Past { -count } else { count };
            let day = Some(Named::Steps(unit, steps));
            return self.resolved(Asked { day, ..Asked::default() });
        }
        let (clock, rest) = time_of_day(&words)?;
        match (rest, clock) {
            ([], None) => Err(NoDate::Unread),
            ([], clock) => self.resolved(Asked { clock, ..Asked::default() }),
            (rest, clock) => {
                let (day, edge) = whole(rest).ok_or(NoDate::Unread)?;
                self.resolved(Asked { day: Some(day), edge, clock })
            }
        }
    }

    fn resolved(&self, asked: Asked) -> Result<When, NoDate> {
        let Asked { day, edge, clock } = asked;
        let short = match day {
            Some(Named::Steps(Unit::Minute, steps)) => Some(MINUTE * i64::from(steps)),
            Some(Named::Steps(Unit::Hour, steps)) => Some(60 * MINUTE * i64::from(steps)),
            _ => None,
        };
        if let Some(micros) = short {
            let at = self.now.plus(micros);
            let is_whole = clock.is_none() && edge == Edge::Both;
            return if is_whole { Ok(When::Time(at, at)) } else { Err(NoDate::Unread) };
        }
        // A time of day comes every day, a Friday every week, 14 February every year.
        let comes_again = matches!(
            day,
            None | Some(
                Named::Month(..)
                    | Named::DayOfMonth(_)
                    | Named::Weekday(_, WeekdayOf::Any | WeekdayOf::This)
            )
        );
        let turns = if comes_again { MAX_TURNS } else { 0 };
        for turn in 0..=turns {
            match self.at_turn(asked, turn) {
                Err(NoDate::NoSuchDay) => {}
                Ok(when) if comes_again && !self.is_meant(when) => {}
                known => return known,
            }
        }
        Err(NoDate::NoSuchDay)
    }

    fn is_meant(&self, when: When) -> bool {
        match self.reading {
            Reading::Past => when.first(self.calendar) <= self.now,
            Reading::Future => when.last(self.calendar) >= self.now,
        }
    }

    fn at_turn(&self, Asked { day, edge, clock }: Asked, turn: i16) -> Result<When, NoDate> {
        let days = self.days(day, turn).ok_or(NoDate::NoSuchDay)?;
        let (first, last) = edge.of(days);
        let Some(clock) = clock else { return Ok(When::Days(first, last)) };
        if first != last {
            return Err(NoDate::Unread);
        }
        // Where clocks skip that time, it is as much later as they skip.
        let moment = self.calendar.moment(first.to_datetime(clock.time));
        let moment = moment.ok_or(NoDate::NoSuchDay)?;
        Ok(When::Time(moment, moment.plus(clock.lasts)))
    }

    /// The first and the last day; of what comes again, so many turns into the past or the future.
    fn days(&self, day: Option<Named>, turn: i16) -> Option<(Date, Date)> {
        let turns = match self.reading {
            Reading::Past => -turn,
            Reading::Future => turn,
        };
        let today = self.calendar.day(self.now);
        let one = |day: Date| (day, day);
        match day {
            None => stepped(today, Unit::Day, turns.into()).map(one),
            Some(Named::Date(year, month, day)) => days_of(year, month, day),
            Some(Named::Year(year)) => {
                Some((Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?))
            }
            Some(Named::Month(month, day)) => days_of(today.year() + turns, month, day),
            Some(Named::DayOfMonth(day)) => {
                let month = stepped(today.first_of_month(), Unit::Month, turns.into())?;
                days_of(month.year(), month.month(), Some(day))
            }
            Some(Named::Weekday(weekday, which)) => {
                let which = match (which, self.reading) {
                    (WeekdayOf::Last | WeekdayOf::Next, _) => which,
                    (WeekdayOf::Any | WeekdayOf::This, Reading::Past) => WeekdayOf::This,
                    (WeekdayOf::Any | WeekdayOf::This, Reading::Future) => WeekdayOf::Any,
                };
                let nearest = nearest(weekday, which, today)?;
                stepped(nearest, Unit::Week, turns.into()).map(one)
            }
            Some(Named::Period(unit, after)) => period(unit, after, today),
            Some(Named::Steps(unit, steps)) => stepped(today, unit, steps).map(one),
        }
    }
}

/// The words of a date, in lower case, without those that say nothing.
fn words_of(text: &str) -> Vec<String> {
    let mut text = text.to_lowercase();
    let is_of_day = |letter: u8| letter.is_ascii_digit() || letter == b'-';
    // `2026-10-01T09:00`
    if text.as_bytes().get(10) == Some(&b't') && text.bytes().take(10).all(is_of_day) {
        text.replace_range(10..11, " ");
    }
    let mut words: Vec<String> = Vec::new();
    for word in text.split(|letter: char| letter.is_whitespace() || letter == ',') {
        let is_half = ["am", "pm"].contains(&word);
        match words.last_mut() {
            // `5:30 pm`
            Some(last) if is_half && last.starts_with(|c: char| c.is_ascii_digit()) => {
                last.push_str(word);
            }
            _ if word.is_empty() || FILLERS.contains(&word) => {}
            _ => words.push(spelt_out(word)),
        }
    }
    words
}

/// `fri` as `friday`.
fn spelt_out(word: &str) -> String {
    let is_short = word.len() > 2 && word.len() < 6;
    let full = words::WEEKDAYS.iter().find(|name| is_short && name.starts_with(word));
    full.map_or(word, |name| *name).to_owned()
}

/// The one date that all words together name, and which end of it.
fn whole(words: &[String]) -> Option<(Named, Edge)> {
    if let Some(named) = alone(words) {
        return Some((named, Edge::Both));
    }
    match words {
        [one] => words::end_in_letters(one).map(|named| (named, Edge::Last)),
        [edge, of, rest @ ..] if of == "of" => {
            let edge = Edge::named(edge)?;
            Some((words::running(rest).or_else(|| alone(rest))?, edge))
        }
        [first, rest @ ..] if BEFORE_DATE.contains(&first.as_str()) => whole(rest),
        _ => None,
    }
}

/// The date that all words together name, without `end of` and the like.
fn alone(words: &[String]) -> Option<Named> {
    let of_one = match words {
        [one] => words::in_digits(one).or_else(|| words::day_of_month(one)),
        _ => words::counted_from_today(words),
    };
    let whole = || words::named_at(words, 0).filter(|(_, used)| *used == words.len());
    of_one.or_else(|| whole().map(|(named, _)| named))
}

/// The time of day that the words end or begin with, and the other words.
fn time_of_day(words: &[String]) -> Result<(Option<Clock>, &[String]), NoDate> {
    if let Some((last, rest)) = words.split_last()
        && let Some(digits) = clock_digits(last)
    {
        return Ok((Some(clock(digits).ok_or(NoDate::NoSuchTime)?), rest));
    }
    if let Some((first, rest)) = words.split_first()
        && let Some(digits) = clock_digits(first)
    {
        return Ok((Some(clock(digits).ok_or(NoDate::NoSuchTime)?), rest));
    }
    Ok((None, words))
}

/// The digits of a time, and the hour at which its half of the day begins: `17:05`, `5pm`.
fn clock_digits(word: &str) -> Option<(&str, Option<i8>)> {
    if word == "noon" {
        return Some(("12:00", None));
    }
    let half = |end: &str, begins: i8| Some((word.strip_suffix(end)?, Some(begins)));
    let (digits, begins) = half("am", 0).or_else(|| half("pm", 12)).unwrap_or((word, None));
    let is_time = digits.contains(':') || begins.is_some();
    (is_time && digits.starts_with(|c: char| c.is_ascii_digit())).then_some((digits, begins))
}

fn clock((digits, begins): (&str, Option<i8>)) -> Option<Clock> {
    let digits = match digits.find(':') {
        Some(1) => format!("0{digits}"),
        Some(2) => digits.to_owned(),
        Some(_) => return None,
        None => format!("{digits:0>2}:00"),
    };
    let time: Time = digits.parse().ok()?;
    let time = match begins {
        None => time,
        Some(begins) if (1..=12).contains(&time.hour()) => {
            time.with().hour(time.hour() % 12 + begins).build().ok()?
        }
        Some(_) => return None,
    };
    // Down to the second it is a stamp.
    let lasts = if digits.matches(':').count() == 1 { MINUTE - 1 } else { 0 };
    Some(Clock { time, lasts })
}

/// `6mo`, `2w`, `90d`, `1y`, `6 months`, `a week`.
fn span_of(words: &[String]) -> Option<(Unit, i32)> {
    match words {
        [one] => {
            let (digits, unit) = one.split_at(one.find(|c: char| !c.is_ascii_digit())?);
            let unit = match unit {
                "min" => Unit::Minute,
                "h" => Unit::Hour,
                "d" => Unit::Day,
                "w" => Unit::Week,
                "mo" => Unit::Month,
                "y" => Unit::Year,
                _ => return None,
            };
            // Longer than anybody counts in words: `1095d`.
            Some((unit, digits.parse::<i32>().ok().filter(|count| (1..10_000).contains(count))?))
        }
        [count, unit] => Some((words::unit(unit)?, words::count(count)?)),
        _ => None,
    }
}

/// A day, or a whole month. `None` if there is none.
pub fn days_of(year: i16, month: i8, day: Option<i8>) -> Option<(Date, Date)> {
    let first = Date::new(year, month, day.unwrap_or(1)).ok()?;
    Some((first, if day.is_some() { first } else { first.last_of_month() }))
}

/// The weekday before today (`Last`), after it (`Next`), today or before it (`This`), today or
/// after it (`Any`).
pub fn nearest(weekday: i8, which: WeekdayOf, today: Date) -> Option<Date> {
    let ahead = i32::from((weekday - monday_offset(today)).rem_euclid(7));
    let days = match (which, ahead) {
        (WeekdayOf::Next, 0) => 7,
        (WeekdayOf::Next | WeekdayOf::Any, ahead) => ahead,
        (WeekdayOf::This, 0) => 0,
        (WeekdayOf::Last | WeekdayOf::This, ahead) => ahead - 7,
    };
    stepped(today, Unit::Day, days)
}

/// The whole week, month or year that is so many after that of today.
pub fn period(unit: Unit, after: i32, today: Date) -> Option<(Date, Date)> {
    let first = match unit {
        Unit::Week => stepped(today, Unit::Day, -i32::from(monday_offset(today)))?,
        Unit::Month => today.first_of_month(),
        Unit::Year => today.first_of_year(),
        Unit::Minute | Unit::Hour | Unit::Day => return None,
    };
    let first = stepped(first, unit, after)?;
    Some(match unit {
        Unit::Week => (first, stepped(first, Unit::Day, 6)?),
        Unit::Month => (first, first.last_of_month()),
        _ => (first, first.last_of_year()),
    })
}

/// So many units later; a month later than 31 January is the last day of February.
pub fn stepped(day: Date, unit: Unit, steps: i32) -> Option<Date> {
    let span = match unit {
        Unit::Day => steps.days(),
        Unit::Week => steps.weeks(),
        Unit::Month => steps.months(),
        Unit::Year => steps.years(),
        Unit::Minute | Unit::Hour => return None,
    };
    day.checked_add(span).ok()
}

fn monday_offset(day: Date) -> i8 {
    day.weekday().to_monday_zero_offset()
}

#[cfg(test)]
mod tests;
