//! Numbers and dates of sheets and charts as people read them.
//!
//! Invariant: a number has no digits that come from how a program keeps it; what is no number stays
//! as it is.

use calamine::{ExcelDateTime, ExcelDateTimeType};

/// A number without the digits that a reader does not see: `5.0` is `5`. `NaN` is no value.
pub(super) fn number(text: &str) -> String {
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(value) if value.is_nan() => String::new(),
        Ok(0.0) => "0".to_owned(),
        // Programs keep 17 digits, of which 15 mean something.
        Ok(value) if (1e-6..1e15).contains(&value.abs()) => {
            format!("{value:.14e}").parse().unwrap_or(value).to_string()
        }
        _ => text.to_owned(),
    }
}

/// A part of one as people read it: `0.25` is `25%`.
pub(super) fn percent(text: &str) -> String {
    match text.trim().parse::<f64>() {
        Ok(part) if part.is_finite() => format!("{}%", number(&(part * 100.0).to_string())),
        _ => text.to_owned(),
    }
}

/// A number of a chart, which may stand for a day, by the code of its format. Days count from 1904
/// in some files.
pub(super) fn formatted(text: &str, code: &str, begins: Epoch) -> String {
    match text.trim().parse::<f64>() {
        Ok(days) if is_date(code) && (0.0..3e6).contains(&days) => {
            let is_1904 = begins == Epoch::Of1904;
            moment(ExcelDateTime::new(days, ExcelDateTimeType::DateTime, is_1904))
        }
        _ => number(text),
    }
}

/// The year from which a file counts days.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Epoch {
    Of1900,
    Of1904,
}

/// A date, with the time if there is one.
pub(super) fn moment(moment: ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second) {
        (0, 0, 0) => date,
        (hour, minute, 0) => format!("{date} {hour:02}:{minute:02}"),
        (hour, minute, second) => format!("{date} {hour:02}:{minute:02}:{second:02}"),
    }
}

/// Whether a format shows days, months or years: `d mmm yyyy`, but not `0.00 "day"` or `[Red]0`.
fn is_date(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    if matches!(code.as_str(), "general" | "standard") {
        return false;
    }
    let (mut signs, mut letters) = (String::new(), code.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '"' => drop(letters.by_ref().find(|letter| *letter == '"')),
            '[' => drop(letters.by_ref().find(|letter| *letter == ']')),
            '\\' | '_' | '*' => drop(letters.next()),
            letter => signs.push(letter),
        }
    }
    signs.contains(['y', 'd']) || signs.contains("mmm")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_people_read_them() {
        for (kept, read) in [
            ("5.0", "5"),
            ("4.4000000000000004", "4.4"),
            ("0.30000000000000004", "0.3"),
            (" 12 ", "12"),
            ("-2.50", "-2.5"),
            ("1E-3", "0.001"),
            ("-0", "0"),
            ("1e300", "1e300"),
            ("NaN", ""),
            ("#N/A", "#N/A"),
            ("", ""),
        ] {
            assert_eq!(number(kept), read, "{kept}");
        }
    }

    #[test]
    fn parts_are_percent() {
        for (kept, read) in
            [("0.25", "25%"), ("2", "200%"), ("0.07", "7%"), ("-0.005", "-0.5%"), ("n/a", "n/a")]
        {
            assert_eq!(percent(kept), read, "{kept}");
        }
    }

    #[test]
    fn a_number_is_a_day_if_its_format_says_so() {
        for (kept, code, read) in [
            ("44197", "yyyy\\-mm\\-dd", "2021-01-01"),
            ("44197.5", "d/m/yy h:mm", "2021-01-01 12:00"),
            ("44197", "[$-409]mmm", "2021-01-01"),
            ("44197", "General", "44197"),
            ("44197.0", "#,##0\" days\"", "44197"),
            ("0.25", "0%", "0.25"),
            ("3", "[Red]0.00", "3"),
            ("soon", "yyyy", "soon"),
        ] {
            assert_eq!(formatted(kept, code, Epoch::Of1900), read, "{kept} {code}");
        }
        assert_eq!(formatted("42735", "yyyy", Epoch::Of1904), "2021-01-01");
    }
}
