//! The letters of fonts that show symbols in the places of letters.
//!
//! Invariant: a letter that has no known meaning stays as it is.

/// A font of symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SymbolFont {
    Symbol,
    Wingdings,
}

/// `Symbol` from 0x21 to 0x7e.
const SYMBOL: &str = "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟ\
    ΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
/// `Symbol` from 0xa0 to 0xe5, the rest being parts of brackets.
const UPPER: &str = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑";
/// The symbols of `Wingdings` that occur in texts.
const WINGDINGS: &[(u32, char)] = &[
    (0x22, '✂'),
    (0x28, '☎'),
    (0x2a, '✉'),
    (0x4a, '☺'),
    (0x4c, '☹'),
    (0x6c, '●'),
    (0x6e, '■'),
    (0x6f, '□'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x9f, '•'),
    (0xa1, '○'),
    (0xa7, '▪'),
    (0xa8, '◻'),
    (0xd8, '➢'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xe8, '➔'),
    (0xf0, '⇨'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
];

impl SymbolFont {
    pub(super) fn named(name: &str) -> Option<SymbolFont> {
        match name {
            "Symbol" => Some(SymbolFont::Symbol),
            "Wingdings" => Some(SymbolFont::Wingdings),
            _ => None,
        }
    }

    /// What a letter of the font shows. Many programs move its letters to 0xf000.
    pub(super) fn shown(self, letter: char) -> char {
        let code = u32::from(letter);
        let code = if (0xf000..=0xf0ff).contains(&code) { code - 0xf000 } else { code };
        let shown = match self {
            SymbolFont::Symbol => match code {
                0x20 => Some(' '),
                0x21..=0x7e => nth(SYMBOL, code - 0x21),
                0xa0..=0xe5 => nth(UPPER, code - 0xa0),
                0xf1 => Some('⟩'),
                0xf2 => Some('∫'),
                _ => None,
            },
            SymbolFont::Wingdings => {
                let known = WINGDINGS.iter().find(|(of, _)| *of == code);
                known.map(|(_, shown)| *shown).or_else(|| (code == 0x20).then_some(' '))
            }
        };
        shown.unwrap_or(letter)
    }
}

fn nth(letters: &str, at: u32) -> Option<char> {
    letters.chars().nth(usize::try_from(at).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        assert_eq!(SYMBOL.chars().count(), 0x7e - 0x21 + 1);
        assert_eq!(UPPER.chars().count(), 0xe5 - 0xa0 + 1);
        for (font, letter, shown) in [
            (SymbolFont::Symbol, '\u{f061}', 'α'),
            (SymbolFont::Symbol, 'W', 'Ω'),
            (SymbolFont::Symbol, '\u{f0a3}', '≤'),
            (SymbolFont::Symbol, '\u{f0e5}', '∑'),
            (SymbolFont::Symbol, '\u{f0d6}', '√'),
            (SymbolFont::Wingdings, '\u{f0fc}', '✓'),
            (SymbolFont::Wingdings, 'é', 'é'),
        ] {
            assert_eq!(font.shown(letter), shown, "{letter:?}");
        }
    }
}
