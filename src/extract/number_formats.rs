//! The numbers, times and durations of cells and charts by the codes of their formats: `0.00%`,
//! `[h]:mm`.
//!
//! Invariant: a number stays as it is if its code is not understood. The signs within a number are
//! those of its code, whatever the country. Must not know: where a code comes from.

use super::values::{self, Epoch};
use calamine::{ExcelDateTime, ExcelDateTimeType};

/// A part of a code.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sign {
    /// `0`, `#` or `?`.
    Digit(char),
    Point,
    Comma,
    /// What is shown as it is.
    Text(char),
    Percent,
    /// The number as it is.
    General,
    /// What is in brackets, except currency symbols.
    Bracket(String),
    /// Of a day, a time, a fraction, an exponent or a text.
    Letter(char),
}

/// The parts of a code for numbers above zero, below it, and for zero itself.
fn sections(code: &str) -> Vec<Vec<Sign>> {
    let letters: Vec<char> = code.chars().collect();
    let (mut sections, mut at) = (vec![Vec::new()], 0);
    while at < letters.len() {
        let rest = &letters[at..];
        let (signs, length) = sign(rest);
        if rest[0] == ';' {
            sections.push(Vec::new());
        }
        if let Some(section) = sections.last_mut() {
            section.extend(signs);
        }
        at += length.max(1);
    }
    sections
}

/// What a code begins with, and how long that is.
fn sign(rest: &[char]) -> (Vec<Sign>, usize) {
    let begins = |word: &str| {
        rest.len() >= word.len()
            && word.chars().zip(rest).all(|(one, other)| one == other.to_ascii_lowercase())
    };
    let until = |end: char| rest[1..].iter().position(|it| *it == end).unwrap_or(rest.len() - 1);
    match rest[0] {
        '"' => {
            let length = until('"');
            (rest[1..=length].iter().copied().map(Sign::Text).collect(), length + 2)
        }
        '[' => {
            let length = until(']');
            let within: String = rest[1..=length].iter().collect();
            let signs = match within.strip_prefix('$') {
                // `[$€-407]` is a symbol and a language.
                Some(money) => {
                    let symbol = money.rsplit_once('-').map_or(money, |(symbol, _)| symbol);
                    symbol.chars().map(Sign::Text).collect()
                }
                None => vec![Sign::Bracket(within.to_ascii_lowercase())],
            };
            (signs, length + 2)
        }
        '\\' => (rest.get(1).copied().map(Sign::Text).into_iter().collect(), 2),
        // As wide as the next letter.
        '_' => (vec![Sign::Text(' ')], 2),
        // The next letter fills the cell.
        '*' => (Vec::new(), 2),
        ';' => (Vec::new(), 1),
        '.' => (vec![Sign::Point], 1),
        ',' => (vec![Sign::Comma], 1),
        '%' => (vec![Sign::Percent], 1),
        digit @ ('0' | '#' | '?') => (vec![Sign::Digit(digit)], 1),
        _ if begins("general") => (vec![Sign::General], 7),
        _ if begins("am/pm") => (vec![Sign::Letter('a')], 5),
        _ if begins("a/p") => (vec![Sign::Letter('a')], 3),
        letter if letter.is_ascii_alphabetic() || matches!(letter, '/' | '@') => {
            (vec![Sign::Letter(letter.to_ascii_lowercase())], 1)
        }
        letter => (vec![Sign::Text(letter)], 1),
    }
}

/// A number as its format shows it.
pub(super) fn number(value: f64, code: Option<&str>) -> String {
    let shown = code.and_then(|code| by_code(value, code));
    shown.unwrap_or_else(|| values::number(&value.to_string()))
}

/// What a chart keeps of a cell, as the cell shows it. Days count from 1904 in some files.
pub(super) fn formatted(kept: &str, code: &str, begins: Epoch) -> String {
    let is_given = !["general", "standard"].iter().any(|none| code.eq_ignore_ascii_case(none));
    match kept.trim().parse::<f64>() {
        Ok(days) if is_given && is_moment(code) && (0.0..3e6).contains(&days) => {
            let is_1904 = begins == Epoch::Of1904;
            moment(ExcelDateTime::new(days, ExcelDateTimeType::DateTime, is_1904), Some(code))
        }
        Ok(value) if is_given => by_code(value, code).unwrap_or_else(|| values::number(kept)),
        _ => values::number(kept),
    }
}

/// `None` if the code is of another kind, or shows nothing.
fn by_code(value: f64, code: &str) -> Option<String> {
    let sections = sections(code);
    let is_condition =
        |sign: &Sign| matches!(sign, Sign::Bracket(text) if text.starts_with(['<', '>', '=']));
    if value.is_nan() || value.abs() >= 1e15 || sections.iter().flatten().any(is_condition) {
        return None;
    }
    let (section, sign) = match sections.as_slice() {
        [_, below, ..] if value < 0.0 => (below, ""),
        [_, _, zero, ..] if value == 0.0 => (zero, ""),
        [above, ..] if value < 0.0 => (above, "-"),
        [above, ..] => (above, ""),
        [] => return None,
    };
    if section.iter().any(|sign| matches!(sign, Sign::Letter(_))) {
        return None;
    }
    let text = filled(section, value.abs());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| format!("{sign}{text}"))
}

fn filled(section: &[Sign], value: f64) -> String {
    let is_digit = |sign: &Sign| matches!(sign, Sign::Digit(_));
    let percents = section.iter().filter(|sign| **sign == Sign::Percent).count();
    let mut value = (0..percents).fold(value, |value, _| value * 100.0);
    let point = section.iter().position(|sign| *sign == Sign::Point).unwrap_or(section.len());
    let (whole, fraction) = section.split_at(point);
    // Each comma after the last digit divides by a thousand.
    if let Some(last) = section.iter().rposition(is_digit) {
        let after = section.iter().skip(last + 1);
        let thousands = after.take_while(|sign| **sign == Sign::Comma).count();
        value = (0..thousands).fold(value, |value, _| value / 1000.0);
    }
    let places = fraction.iter().filter(|sign| is_digit(sign)).count();
    // 2.675 is kept as a little less.
    let text = format!("{:.places$}", value * (1.0 + 2.0 * f64::EPSILON));
    let (digits, rest) = text.split_once('.').unwrap_or((text.as_str(), ""));
    let mut whole = whole.to_vec();
    if places > 0 && !whole.iter().any(is_digit) {
        whole.push(Sign::Digit('#'));
    }
    format!("{}{}", whole_part(&whole, digits, value), fraction_part(fraction, rest))
}

/// Digits fill their places from the right; those left over stand at the first place.
fn whole_part(signs: &[Sign], digits: &str, value: f64) -> String {
    let mut left: Vec<char> = digits.trim_start_matches('0').chars().collect();
    let is_digit = |sign: &Sign| matches!(sign, Sign::Digit(_));
    let (first, last) = (signs.iter().position(is_digit), signs.iter().rposition(is_digit));
    let is_grouped =
        first.zip(last).is_some_and(|(first, last)| signs[first..last].contains(&Sign::Comma));
    let (mut reversed, mut count) = (Vec::new(), 0);
    for (at, sign) in signs.iter().enumerate().rev() {
        match sign {
            Sign::Digit(kind) => {
                let own = left.pop().or_else(|| (*kind == '0').then_some('0'));
                let more = if first == Some(at) { std::mem::take(&mut left) } else { Vec::new() };
                for digit in own.into_iter().chain(more.into_iter().rev()) {
                    if is_grouped && count > 0 && count % 3 == 0 {
                        reversed.push(',');
                    }
                    reversed.push(digit);
                    count += 1;
                }
            }
            Sign::General => {
                reversed.extend(values::number(&value.to_string()).chars().rev());
            }
            sign => reversed.extend(letter(sign)),
        }
    }
    reversed.into_iter().rev().collect()
}

/// The point and what follows it.
fn fraction_part(signs: &[Sign], digits: &str) -> String {
    let used = digits.trim_end_matches('0').len();
    let (mut text, mut at, mut digits) = (String::new(), 0, digits.chars());
    for sign in signs.iter().skip(1) {
        if let Sign::Digit(kind) = sign {
            let digit = digits.next().filter(|_| *kind == '0' || at < used);
            if at == 0 && digit.is_some() {
                text.push('.');
            }
            text.extend(digit);
            at += 1;
        } else {
            text.extend(letter(sign));
        }
    }
    text
}

fn letter(sign: &Sign) -> Option<char> {
    match sign {
        Sign::Text(letter) => Some(*letter),
        Sign::Percent => Some('%'),
        _ => None,
    }
}

/// A day, a time or a duration. Without a code, less than a day is a time.
pub(super) fn moment(moment: ExcelDateTime, code: Option<&str>) -> String {
    let value = moment.as_f64();
    let clock = match code {
        Some(code) => Clock::of(code),
        None if moment.is_duration() => {
            Some(Clock { counted: Some(('h', 1)), has: [true; 3], places: 0 })
        }
        None => {
            let has_seconds = (value * 86_400.0).round() % 60.0 != 0.0;
            let clock = Clock { counted: None, has: [true, true, has_seconds], places: 0 };
            (0.0..1.0).contains(&value).then_some(clock)
        }
    };
    clock.map_or_else(|| values::moment(moment), |clock| clock.shown(value))
}

/// The letters of the first section of a code, and spaces for all else.
fn letters(signs: &[Sign]) -> String {
    signs.iter().map(|sign| if let Sign::Letter(letter) = sign { *letter } else { ' ' }).collect()
}

fn shows_day(letters: &str) -> bool {
    letters.contains(['y', 'd']) || letters.contains("mmm")
}

fn is_moment(code: &str) -> bool {
    let shows_day = sections(code).first().is_some_and(|signs| shows_day(&letters(signs)));
    shows_day || Clock::of(code).is_some()
}

/// What a format shows of a time.
struct Clock {
    /// The unit that goes on counting after a day, and the least width of its number.
    counted: Option<(char, usize)>,
    /// Of hours, minutes and seconds.
    has: [bool; 3],
    /// Digits after the seconds.
    places: u32,
}

impl Clock {
    /// `None` if the format shows a day.
    fn of(code: &str) -> Option<Clock> {
        let sections = sections(code);
        let signs = sections.first()?;
        let letters = letters(signs);
        let counted = signs.iter().find_map(|sign| match sign {
            Sign::Bracket(text) => {
                let unit = text.chars().next().filter(|unit| matches!(unit, 'h' | 'm' | 's'))?;
                text.chars().all(|letter| letter == unit).then_some((unit, text.len()))
            }
            _ => None,
        });
        let has = ['h', 'm', 's'].map(|unit| {
            letters.contains(unit) || counted.is_some_and(|(counted, _)| counted == unit)
        });
        let is_time = has[0] || has[2] || counted.is_some();
        if shows_day(&letters) || !is_time {
            return None;
        }
        let point = signs.iter().position(|sign| *sign == Sign::Point);
        let after = signs.iter().skip(point.map_or(signs.len(), |point| point + 1));
        let places = after.take_while(|sign| **sign == Sign::Digit('0')).take(3).count();
        Some(Clock { counted, has, places: u32::try_from(places).unwrap_or(0) })
    }

    fn shown(&self, days: f64) -> String {
        let part = 10_u64.pow(self.places);
        let all = if self.counted.is_some() { days.abs() } else { days.rem_euclid(1.0) };
        let parts = (all * 86_400.0 * part as f64).round() as u64;
        let mut numbers = Vec::new();
        for (at, (unit, length)) in [('h', 3600), ('m', 60), ('s', 1)].into_iter().enumerate() {
            // Hours without minutes would be taken for a number.
            let is_after_hours = unit == 'm' && self.has[0] && self.counted.is_none();
            if !self.has[at] && !is_after_hours {
                continue;
            }
            let count = parts / part / length;
            let (number, width) = match self.counted {
                Some((counted, width)) if counted == unit => (count, width),
                _ if unit == 'h' => (count % 24, 2),
                _ => (count % 60, 2),
            };
            numbers.push(format!("{number:0width$}"));
        }
        let mut text = numbers.join(":");
        if self.places > 0 {
            let width = self.places as usize;
            text.push_str(&format!(".{:0width$}", parts % part));
        }
        if days < 0.0 && self.counted.is_some() { format!("-{text}") } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_by_their_codes() {
        for (kept, code, shown) in [
            (0.25, "0%", "25%"),
            (0.07, "0.00%", "7.00%"),
            (2.0, "0.##", "2"),
            (2.675, "0.00", "2.68"),
            (1_234_567.5, "#,##0.00", "1,234,567.50"),
            (999.0, "#,##0", "999"),
            (1_234_567.0, "0.0,,\"M\"", "1.2M"),
            (42.0, "00000", "00042"),
            (-5.0, "$0.00", "-$5.00"),
            (-5.0, "[$€-407]0;[Red]([$€-407]0)", "(€5)"),
            (12.5, "#,##0.00\\ [$€-407]", "12.50 €"),
            (1234.0, "_(\"$\"* #,##0_);_(\"$\"* (#,##0);_(\"$\"* \"-\"??_);_(@_)", "$1,234"),
            (0.0, "_(* #,##0_);_(* (#,##0);_(* \"-\"??_);_(@_)", "-"),
            (5_551_234.0, "000\\-0000", "555-1234"),
            (0.5, ".00", ".50"),
            (7.0, "General\" kg\"", "7 kg"),
            (7.0, ";;;", "7"),
            (0.5, "# ?/?", "0.5"),
            (12.0, "0.00E+00", "12"),
            (7.0, "[>5]0.0;0", "7"),
            (0.1 + 0.2, "General", "0.3"),
            (7.0, "\"", "7"),
        ] {
            assert_eq!(number(kept, Some(code)), shown, "{kept} {code}");
        }
        assert_eq!(number(5.0, None), "5");
    }

    #[test]
    fn what_a_chart_keeps_is_shown_as_in_its_cell() {
        for (kept, code, shown) in [
            ("44197", "yyyy\\-mm\\-dd", "2021-01-01"),
            ("44197.5", "d/m/yy h:mm", "2021-01-01 12:00"),
            ("44197", "[$-409]mmm", "2021-01-01"),
            ("44197", "General", "44197"),
            ("44197", "Standard", "44197"),
            ("44197.0", "#,##0\" days\"", "44,197 days"),
            ("0.25", "0%", "25%"),
            ("0.75", "h:mm", "18:00"),
            ("1.5", "[h]:mm", "36:00"),
            ("3", "[Red]0.00", "3.00"),
            ("1e300", "0", "1e300"),
            ("NaN", "0.00", ""),
            ("4.4000000000000004", "", "4.4"),
            ("soon", "yyyy", "soon"),
        ] {
            assert_eq!(formatted(kept, code, Epoch::Of1900), shown, "{kept} {code}");
        }
        assert_eq!(formatted("42735", "yyyy", Epoch::Of1904), "2021-01-01");
    }

    #[test]
    fn times_are_shown_by_their_codes() {
        let kept = |days: f64| ExcelDateTime::new(days, ExcelDateTimeType::DateTime, false);
        for (days, code, shown) in [
            (0.5, "h:mm AM/PM", "12:00"),
            (0.75, "h:mm:ss", "18:00:00"),
            (44197.25, "h:mm", "06:00"),
            (0.999_999_999, "h:mm", "00:00"),
            (0.25, "h AM/PM", "06:00"),
            (330.0 / 86400.0, "mm:ss", "05:30"),
            (83.4 / 86400.0, "mmss.0", "01:23.4"),
            (1.5, "[hh]:mm:ss", "36:00:00"),
            (-0.25, "[h]:mm", "-6:00"),
            (0.25, "[mm]:ss", "360:00"),
            (0.5, "yyyy\\-mm\\-dd hh:mm", "1899-12-31 12:00"),
            (44197.0, "mmmm", "2021-01-01"),
            (44197.5, "d/m/yy h:mm", "2021-01-01 12:00"),
        ] {
            assert_eq!(moment(kept(days), Some(code)), shown, "{days} {code}");
        }
        assert_eq!(moment(kept(0.5), None), "12:00");
        assert_eq!(moment(kept(44197.0), None), "2021-01-01");
        let duration = ExcelDateTime::new(1.25, ExcelDateTimeType::TimeDelta, false);
        assert_eq!(moment(duration, None), "30:00:00");
    }
}
