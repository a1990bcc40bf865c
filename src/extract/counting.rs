//! The numbers of list items as they are written: `3`, `c`, `iii`.
//!
//! Invariant: a number without letters of its own is written in digits.

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
