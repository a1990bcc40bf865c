//! Which words name a day, a month, a year, or a step from today.
//!
//! Invariant: pure; the words are in lower case. Knows no today, and takes every word that can be
//! a date for one: whether `may` is a month is for the caller to judge. Must not know: calendars,
//! the current time.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// Which of the Mondays is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeekdayOf {
    /// `monday`
    Any,
    Last,
    This,
    Next,
}

/// Which end of a week, month or year: `end of month`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Edge {
    #[default]
    Both,
    First,
    Last,
}

impl Edge {
    pub(super) fn named(word: &str) -> Option<Edge> {
        match word {
            "start" | "beginning" => Some(Edge::First),
            "end" => Some(Edge::Last),
            _ => None,
        }
    }

    /// What is meant of these first and last days.
    pub(super) fn of<D: Copy>(self, (first, last): (D, D)) -> (D, D) {
        match self {
            Edge::Both => (first, last),
            Edge::First => (first, first),
            Edge::Last => (last, last),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A month of a year, and its day if given. There need not be such a month or day.
    Date(i16, i8, Option<i8>),
    Year(i16),
    /// A month of any year, and its day if given. No year need have such a day.
    Month(i8, Option<i8>),
    /// A day of any month. No month need have it.
    DayOfMonth(i8),
    /// Days after Monday.
    Weekday(i8, WeekdayOf),
    /// A whole week, month or year, so many after the current one.
    Period(Unit, i32),
    /// So many units from now: `-3` weeks for `3 weeks ago`.
    Steps(Unit, i32),
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
pub(super) const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// From one on.
const COUNTS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// The date that starts at a word, and how many words it spans.
pub fn named_at(words: &[String], at: usize) -> Option<(Named, usize)> {
    let from_day = words.get(at..at + 3).and_then(counted_from_today);
    if from_day.is_some() {
        return from_day.map(|named| (named, 3));
    }
    let days = match words.get(at)?.as_str() {
        "today" | "tonight" => Some(0),
        "yesterday" => Some(-1),
        "tomorrow" => Some(1),
        _ => None,
    };
    match days {
        Some(days) => Some((Named::Steps(Unit::Day, days), 1)),
        None => of_calendar(words, at).or_else(|| from_now(words, at)),
    }
}

fn word(words: &[String], at: usize) -> &str {
    words.get(at).map_or("", String::as_str)
}

/// `2026`, `march`, `march 2025`, `8 may`, `8th of may 2023`, `may 8 2023`.
fn of_calendar(words: &[String], at: usize) -> Option<(Named, usize)> {
    if let Some(year) = year(word(words, at)) {
        return Some((Named::Year(year), 1));
    }
    let before = day(word(words, at));
    let mut used = match before {
        Some(_) if word(words, at + 1) == "of" => 2,
        Some(_) => 1,
        None => 0,
    };
    let month = month(word(words, at + used))?;
    used += 1;
    let after = day(word(words, at + used)).filter(|_| before.is_none());
    used += usize::from(after.is_some());
    let named_day = before.or(after);
    match year(word(words, at + used)) {
        Some(year) => Some((Named::Date(year, month, named_day), used + 1)),
        None => Some((Named::Month(month, named_day), used)),
    }
}

/// `last friday`, `next month`, `friday`, `3 weeks ago`, `in 2 months`.
fn from_now(words: &[String], at: usize) -> Option<(Named, usize)> {
    let next = word(words, at + 1);
    let (which, after) = match word(words, at) {
        "last" => (WeekdayOf::Last, -1),
        "this" => (WeekdayOf::This, 0),
        "next" => (WeekdayOf::Next, 1),
        "in" => {
            let steps = count(next)?;
            return Some((Named::Steps(unit(word(words, at + 2))?, steps), 3));
        }
        alone => {
            if let Some(weekday) = weekday(alone) {
                return Some((Named::Weekday(weekday, WeekdayOf::Any), 1));
            }
            let steps = count(alone).filter(|_| word(words, at + 2) == "ago")?;
            return Some((Named::Steps(unit(next)?, -steps), 3));
        }
    };
    if let Some(weekday) = weekday(next) {
        return Some((Named::Weekday(weekday, which), 2));
    }
    let whole = match next {
        "week" => Unit::Week,
        "month" => Unit::Month,
        "year" => Unit::Year,
        _ => return None,
    };
    Some((Named::Period(whole, after), 2))
}

/// The day, week, month or year that `end of` alone means: the current one.
pub(super) fn running(words: &[String]) -> Option<Named> {
    let [word] = words else { return None };
    match word.as_str() {
        "day" => Some(Named::Steps(Unit::Day, 0)),
        "week" => Some(Named::Period(Unit::Week, 0)),
        "month" => Some(Named::Period(Unit::Month, 0)),
        "year" => Some(Named::Period(Unit::Year, 0)),
        _ => None,
    }
}

/// What ends at `eod`, `eow`, `eom`, `eoy`.
pub(super) fn end_in_letters(word: &str) -> Option<Named> {
    match word {
        "eod" => Some(Named::Steps(Unit::Day, 0)),
        "eow" => Some(Named::Period(Unit::Week, 0)),
        "eom" => Some(Named::Period(Unit::Month, 0)),
        "eoy" => Some(Named::Period(Unit::Year, 0)),
        _ => None,
    }
}

/// `24th`: a number alone is no date.
pub(super) fn day_of_month(word: &str) -> Option<Named> {
    day(word).filter(|_| word.parse::<i8>().is_err()).map(Named::DayOfMonth)
}

/// `day after tomorrow`, `day before yesterday`, `two weeks from now`.
pub(super) fn counted_from_today(words: &[String]) -> Option<Named> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["day", "after", "tomorrow"] => Some(Named::Steps(Unit::Day, 2)),
        ["day", "before", "yesterday"] => Some(Named::Steps(Unit::Day, -2)),
        [steps, of, "from", "now" | "today"] => Some(Named::Steps(unit(of)?, count(steps)?)),
        _ => None,
    }
}

/// `2026-02-14`, `2026-02`, `2026/02/14`, `14.02.2026`, `14.2.26`, `14.2.`.
pub fn in_digits(text: &str) -> Option<Named> {
    let mark = ['-', '/', '.'].into_iter().find(|mark| text.contains(*mark))?;
    let parts: Vec<&str> = text.split(mark).collect();
    let is_number = |part: &&str| part.bytes().all(|digit| digit.is_ascii_digit());
    if !parts.iter().all(is_number) {
        return None;
    }
    match parts[..] {
        [day, month, ""] if mark == '.' => Some(Named::Month(short(month)?, Some(short(day)?))),
        [year, month] => Some(Named::Date(long(year)?, short(month)?, None)),
        [day, month, year] if mark == '.' && day.len() <= 2 => {
            let of_century =
                || short(year).filter(|_| year.len() == 2).map(|year| 2000 + i16::from(year));
            let year = long(year).or_else(of_century)?;
            Some(Named::Date(year, short(month)?, Some(short(day)?)))
        }
        [year, month, day] => Some(Named::Date(long(year)?, short(month)?, Some(short(day)?))),
        _ => None,
    }
}

fn long(digits: &str) -> Option<i16> {
    digits.parse().ok().filter(|_| digits.len() == 4)
}

fn short(digits: &str) -> Option<i8> {
    digits.parse().ok().filter(|_| digits.len() <= 2)
}

/// Also the usual abbreviations: `jan`, `sept`.
fn month(word: &str) -> Option<i8> {
    let fits = |name: &str| {
        name == word
            || (word.len() == 3 && name.starts_with(word))
            || (word == "sept" && name.starts_with("sept"))
    };
    MONTHS.iter().position(|name| fits(name)).map(|at| at as i8 + 1)
}

fn year(word: &str) -> Option<i16> {
    let number: i16 = word.parse().ok()?;
    (word.len() == 4 && (1900..2100).contains(&number)).then_some(number)
}

/// The day of a month.
pub fn day(word: &str) -> Option<i8> {
    let digits =
        ["st", "nd", "rd", "th", "."].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    let number: i8 = digits.parse().ok()?;
    (1..=31).contains(&number).then_some(number)
}

fn weekday(word: &str) -> Option<i8> {
    WEEKDAYS.iter().position(|name| *name == word).map(|at| at as i8)
}

/// How many units; a few are three.
pub(super) fn count(word: &str) -> Option<i32> {
    match word {
        "a" | "an" => Some(1),
        "few" => Some(3),
        word => match COUNTS.iter().position(|name| *name == word) {
            Some(at) => Some(at as i32 + 1),
            None => word.parse().ok().filter(|count| (1..1000).contains(count)),
        },
    }
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    match word.trim_end_matches('s') {
        "minute" => Some(Unit::Minute),
        "hour" => Some(Unit::Hour),
        "day" => Some(Unit::Day),
        "week" => Some(Unit::Week),
        "month" => Some(Unit::Month),
        "year" => Some(Unit::Year),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<(Named, usize)> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        named_at(&words, 0)
    }

    #[test]
    fn a_date_begins_at_a_word_and_ends_where_it_ends() {
        let march = Named::Date(2025, 3, None);
        for (text, named, used) in [
            ("march 2025 was cold", march, 2),
            ("8 may", Named::Month(5, Some(8)), 2),
            ("8th of may 2023 we", Named::Date(2023, 5, Some(8)), 4),
            ("may 8 2023", Named::Date(2023, 5, Some(8)), 3),
            ("sept 1st then", Named::Month(9, Some(1)), 2),
            ("31 feb 2026", Named::Date(2026, 2, Some(31)), 3),
            ("2024 was", Named::Year(2024), 1),
            ("last friday night", Named::Weekday(4, WeekdayOf::Last), 2),
            ("friday", Named::Weekday(4, WeekdayOf::Any), 1),
            ("next month", Named::Period(Unit::Month, 1), 2),
            ("three weeks ago i", Named::Steps(Unit::Week, -3), 3),
            ("in 2 months", Named::Steps(Unit::Month, 2), 3),
            ("tomorrow", Named::Steps(Unit::Day, 1), 1),
        ] {
            assert_eq!(at(text), Some((named, used)), "{text}");
        }
        for text in ["", "8", "8 cities", "in march", "in 2 cities", "3 weeks", "last", "last day"]
        {
            assert_eq!(at(text), None, "{text}");
        }
    }

    #[test]
    fn digits_name_a_day_if_their_order_is_certain() {
        let day = Some(Named::Date(2026, 2, Some(4)));
        for text in ["2026-02-04", "2026-2-4", "2026/02/04", "4.2.2026", "04.02.2026", "4.2.26"] {
            assert_eq!(in_digits(text), day, "{text}");
        }
        assert_eq!(in_digits("2026-02"), Some(Named::Date(2026, 2, None)));
        assert_eq!(in_digits("24.12."), Some(Named::Month(12, Some(24))));
        for text in [
            "",
            "2026",
            "4/2/2026",
            "04-02-2026",
            "26-02-04",
            "1.2",
            "2026-02-04-1",
            "--",
            "1.2.3",
            "24.",
            "24-12-",
            ".12.",
            "..",
        ] {
            assert_eq!(in_digits(text), None, "{text}");
        }
    }
}
