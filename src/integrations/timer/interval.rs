//! How often a laptop syncs by itself, and how long it waits after failures.
//!
//! Invariant: pure; what [`Interval`] prints is read back as the same interval. What passes by
//! itself is tried again within the hour, and anything within a day.

use std::fmt;

/// Between 5 minutes and a day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Interval {
    minutes: u32,
}

const HOUR: u32 = 60;
const DAY: u32 = 24 * HOUR;
/// A remote is somebody else's computer.
const SHORTEST: u32 = 5;

/// Whether a failure ends without the person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Course {
    Passes,
    Lasts,
}

impl Interval {
    /// What is typed as `15m`, `2h` or `1d`.
    pub fn parse(text: &str) -> Result<Interval, String> {
        let unfit = || format!("`{text}` is not a time span such as 15m, 2h or 1d");
        let text = text.trim();
        let digits = text.chars().take_while(char::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let number: u32 = number.parse().map_err(|_| unfit())?;
        let of_unit = match unit.trim() {
            "m" | "min" | "minute" | "minutes" => 1,
            "h" | "hour" | "hours" => HOUR,
            "d" | "day" | "days" => DAY,
            _ => return Err(unfit()),
        };
        let minutes = number.saturating_mul(of_unit);
        if !(SHORTEST..=DAY).contains(&minutes) {
            return Err(format!("`{text}` is not between 5m and 1d"));
        }
        Ok(Interval { minutes })
    }

    pub const fn minutes(self) -> u32 {
        self.minutes
    }

    /// As in "every 15 minutes": `15 minutes`, `hour`, `2 hours`, `day`.
    pub fn in_words(self) -> String {
        let words = |count: u32, one: &str| match count {
            1 => one.to_owned(),
            count => format!("{count} {one}s"),
        };
        match self.minutes {
            DAY => words(1, "day"),
            minutes if minutes % HOUR == 0 => words(minutes / HOUR, "hour"),
            minutes => words(minutes, "minute"),
        }
    }

    /// How many minutes after the last of so many failures in a row the next try is: twice as many
    /// each time.
    pub fn wait(self, failures: u32, course: Course) -> u32 {
        let longest = match course {
            Course::Passes => HOUR.max(self.minutes),
            Course::Lasts => DAY,
        };
        let doubled = 1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
        self.minutes.saturating_mul(doubled).min(longest)
    }
}

/// As it is typed: `15m`, `2h`, `1d`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.minutes {
            DAY => write!(f, "1d"),
            minutes if minutes % HOUR == 0 => write!(f, "{}h", minutes / HOUR),
            minutes => write!(f, "{minutes}m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(text: &str) -> Interval {
        Interval::parse(text).expect("an interval")
    }

    #[test]
    fn is_read_as_people_type_it() {
        for (typed, minutes, shown, words) in [
            ("15m", 15, "15m", "15 minutes"),
            ("5 min", 5, "5m", "5 minutes"),
            ("90m", 90, "90m", "90 minutes"),
            ("60m", 60, "1h", "hour"),
            ("2 hours", 120, "2h", "2 hours"),
            ("24h", 1440, "1d", "day"),
            (" 1d ", 1440, "1d", "day"),
        ] {
            let read = every(typed);
            assert_eq!((read.minutes(), read.to_string().as_str()), (minutes, shown), "{typed}");
            assert_eq!((read.in_words().as_str(), every(shown)), (words, read), "{typed}");
        }
    }

    #[test]
    fn what_is_none_is_refused() {
        for typed in
            ["", "15", "m", "soon", "4m", "0m", "25h", "2d", "-5m", "1.5h", "15s", "9999999999m"]
        {
            assert!(Interval::parse(typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn waits_longer_each_time_and_never_longer_than_a_day() {
        let waits = |text: &str, course| -> Vec<u32> {
            [1, 2, 3, 4, 8, 40, u32::MAX].map(|times| every(text).wait(times, course)).to_vec()
        };
        assert_eq!(waits("15m", Course::Lasts), [15, 30, 60, 120, 1440, 1440, 1440]);
        assert_eq!(waits("15m", Course::Passes), [15, 30, 60, 60, 60, 60, 60]);
        assert_eq!(waits("2h", Course::Passes), [120; 7]);
        assert_eq!(waits("1d", Course::Lasts), [1440; 7]);
        assert_eq!(every("5m").wait(0, Course::Lasts), 5, "a first failure is one");
    }
}
