//! The headings above a position in a text: the titles of its sections.
//!
//! Invariant: lines of code are not headings; a heading ends those of its own and lower levels.

use super::topic::slug;
use std::collections::BTreeSet;

/// The lines of a text with their line endings, and whether each is in fenced code.
fn lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut fence: Option<&str> = None;
    text.split_inclusive('\n').map(move |line| {
        let trimmed = line.trim();
        let sign = trimmed.chars().next().filter(|sign| matches!(sign, '`' | '~'));
        let length = sign.map_or(0, |sign| trimmed.len() - trimmed.trim_start_matches(sign).len());
        let marks = &trimmed[..length];
        match fence {
            None if length >= 3 => fence = Some(marks),
            None => return (line, false),
            // Only a fence of the same characters, as long or longer and alone, closes it.
            Some(open) if marks.starts_with(open) && marks == trimmed => fence = None,
            Some(_) => {}
        }
        (line, true)
    })
}

/// The level and title of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim();
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    let is_heading = (1..=6).contains(&level) && title.starts_with([' ', '\t']);
    is_heading.then(|| (level, title.trim()))
}

/// The headings from the outermost on, without their markers.
pub fn above(text: &str, place: usize) -> Vec<String> {
    let (mut path, mut at): (Vec<(usize, String)>, usize) = Default::default();
    for (line, is_code) in lines(text) {
        if at >= place {
            break;
        }
        at += line.len();
        if let Some((level, title)) =
            heading(line).filter(|(_, title)| !is_code && !title.is_empty())
        {
            path.retain(|(other, _)| *other < level);
            path.push((level, title.to_owned()));
        }
    }
    path.into_iter().map(|(_, title)| title).collect()
}

/// What links may refer to in a text: its headings as slugs, and named paragraphs (`^b1`).
pub fn all(text: &str) -> BTreeSet<String> {
    let blocks = text.split_whitespace().filter(|word| word.len() > 1 && word.starts_with('^'));
    let prose = lines(text).filter(|(_, is_code)| !is_code);
    let titles = prose.filter_map(|(line, _)| heading(line)).map(|(_, title)| slug(title));
    titles.chain(blocks.map(str::to_owned)).collect()
}

/// A link's heading (`Rollback`, `deploy-steps`, `Guide#Deploy`, `^b1`), as [`all`] spells it.
pub fn named(link: &str) -> String {
    if link.starts_with('^') {
        link.to_owned()
    } else {
        slug(link.rsplit('#').next().unwrap_or(link))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_called_by_all_its_headings() {
        let text = "# Guide\n\n## Deploy\n\n```\n# no heading\n```\n\n### Rollback\n\nPress it.\n\n## Money\n\nFree.";
        let above = |word: &str| above(text, text.find(word).expect("there"));
        assert_eq!(above("Press"), ["Guide", "Deploy", "Rollback"]);
        assert_eq!(above("Free"), ["Guide", "Money"]);
        assert!(above("# Guide").is_empty());
        let has = |text: &str, link: &str| all(text).contains(&named(link));
        assert!(!has(text, "no heading"), "code has no headings");
        assert!(!has("~~~\n```\n# a\n```\n# b\n~~~", "b"), "one fence inside another");
        assert!(has(text, "Rollback") && has(text, "guide#deploy") && !has(text, "Roll"));
        assert!(has("A line. ^b1\n", "^b1") && !has("b1", "^b1"));
    }
}
