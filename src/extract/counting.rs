//! The numbers of list items as they are written: `3.`, `c)`, `iii`, `2.1`.
//!
//! Invariant: an item has the number that a reader of the document sees. A number without letters
//! of its own is written in digits.

/// The levels of a list.
pub(super) const LEVELS: usize = 9;

/// How one level counts; `None` for bullets.
#[derive(Clone, Default)]
pub(super) struct Level {
    pub(super) start: u32,
    pub(super) count: Option<Count>,
    /// `%1.%2)`
    pub(super) pattern: String,
}

/// What a list has counted, by level.
#[derive(Clone, Default)]
pub(super) struct Counter {
    last: [Option<u32>; LEVELS],
    /// Where it starts anew.
    starts: [Option<u32>; LEVELS],
    /// What it had counted where a level above went on.
    ended: [Option<u32>; LEVELS],
}

impl Counter {
    /// The next item of a level has this number.
    pub(super) fn start_at(&mut self, level: usize, number: u32) {
        let level = level.min(LEVELS - 1);
        (self.last[level], self.starts[level]) = (None, Some(number));
    }

    /// A level goes on where it ended.
    pub(super) fn go_on(&mut self, level: usize) {
        let level = level.min(LEVELS - 1);
        self.last[level] = self.last[level].or(self.ended[level]);
    }

    /// The number of the next item, as it is written; `None` if it has a bullet.
    pub(super) fn next(&mut self, levels: &[Level], deep: usize) -> Option<String> {
        let deep = deep.min(LEVELS - 1);
        let start = |at: usize| levels.get(at).map_or(1, |level| level.start);
        let after = self.last[deep].map(|last| last.saturating_add(1));
        let next = self.starts[deep].take().or(after).unwrap_or_else(|| start(deep));
        self.last[deep] = Some(next);
        for (last, ended) in self.last.iter_mut().zip(&mut self.ended).skip(deep + 1) {
            *ended = last.take().or(*ended);
        }
        let level = levels.get(deep)?;
        level.count?;
        let mut written = level.pattern.clone();
        for (at, (last, starts)) in self.last.iter().zip(&self.starts).enumerate() {
            let count = levels.get(at).and_then(|level| level.count).unwrap_or_default();
            let number = count.written(last.or(*starts).unwrap_or_else(|| start(at)));
            written = written.replace(&format!("%{}", at + 1), &number);
        }
        let written = written.trim().to_owned();
        (!written.is_empty()).then_some(written)
    }
}

/// A heading with its number, which its text may begin with already.
pub(super) fn headed(number: Option<String>, text: &str) -> String {
    const AROUND: [char; 4] = ['.', ')', ':', ' '];
    let text = text.trim();
    let is_said = |number: &str| {
        let rest = text.strip_prefix(number.trim_end_matches(AROUND));
        let rest = rest.map(|rest| rest.trim_start_matches(['.', ')', ':']));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    };
    match number {
        Some(number) if !text.is_empty() && !is_said(&number) => format!("{number} {text}"),
        _ => text.to_owned(),
    }
}

/// How a list counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Count {
    #[default]
    Digits,
    Letters,
    Capitals,
    Roman,
    RomanCapitals,
}

impl Count {
    pub(super) fn written(self, number: u32) -> String {
        match self {
            Count::Digits => number.to_string(),
            Count::Letters => letters(number),
            Count::Capitals => letters(number).to_uppercase(),
            Count::Roman => roman(number),
            Count::RomanCapitals => roman(number).to_uppercase(),
        }
    }
}

/// `a` to `z`, then `aa`, `bb`.
fn letters(number: u32) -> String {
    const ALPHABET: u32 = 26;
    if !(1..=ALPHABET * 4).contains(&number) {
        return number.to_string();
    }
    let (times, at) = ((number - 1) / ALPHABET + 1, (number - 1) % ALPHABET);
    let letter = char::from_u32(u32::from('a') + at).expect("because there are so many letters");
    (0..times).map(|_| letter).collect()
}

fn roman(number: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if !(1..4000).contains(&number) {
        return number.to_string();
    }
    let (mut rest, mut written) = (number, String::new());
    for (value, sign) in SIGNS {
        while rest >= value {
            written.push_str(sign);
            rest -= value;
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_count_within_those_above() {
        let level = |count, pattern: &str| Level { start: 1, count, pattern: pattern.to_owned() };
        let levels = [
            level(Some(Count::Digits), "%1."),
            level(Some(Count::Letters), "%1.%2)"),
            level(None, ""),
        ];
        let mut counter = Counter::default();
        let mut next = |deep| counter.next(&levels, deep).unwrap_or_default();
        assert_eq!([next(0), next(1), next(1), next(2)], ["1.", "1.a)", "1.b)", ""]);
        assert_eq!([next(0), next(1)], ["2.", "2.a)"]);
        counter.start_at(0, 0);
        assert_eq!(counter.next(&levels, 0).as_deref(), Some("0."));
        counter.go_on(1);
        assert_eq!(counter.next(&levels, 1).as_deref(), Some("0.b)"));
    }

    #[test]
    fn a_heading_has_its_number_once() {
        for (number, text, wanted) in [
            (Some("1.1"), "Title", "1.1 Title"),
            (Some("1."), "1. Title", "1. Title"),
            (Some("1.1"), "1.1 Title", "1.1 Title"),
            (Some("1."), "1) Title", "1) Title"),
            (Some("1"), "1.1 Title", "1 1.1 Title"),
            (Some("1"), "10 rules", "1 10 rules"),
            (Some("A"), "Apples", "A Apples"),
            (Some("1"), " ", ""),
            (None, "Title", "Title"),
        ] {
            assert_eq!(headed(number.map(str::to_owned), text), wanted, "{number:?}");
        }
    }

    #[test]
    fn numbers_are_written_as_in_documents() {
        for (count, number, written) in [
            (Count::Digits, 12, "12"),
            (Count::Letters, 3, "c"),
            (Count::Letters, 28, "bb"),
            (Count::Capitals, 26, "Z"),
            (Count::Roman, 14, "xiv"),
            (Count::RomanCapitals, 1999, "MCMXCIX"),
            (Count::Letters, 0, "0"),
            (Count::Roman, 4000, "4000"),
        ] {
            assert_eq!(count.written(number), written);
        }
    }
}
