//! Numbers and dates of sheets and charts as people read them.
//!
//! Invariant: a number has no digits that come from how a program keeps it; what is no number stays
//! as it is.

use calamine::ExcelDateTime;

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
}
