//! The headings that stand above a place of a text: what its section is called.
//!
//! Invariant: lines of code are no headings; a heading ends those of its level and below.

use super::topic::slug;
use std::collections::BTreeSet;

/// The lines of a text with their ends, and whether each is code between fences.
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
            // Only a longer one of the same signs ends it, with nothing behind.
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

/// From the outermost on, without their signs.
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

/// What links may name in a text: its headings as slugs, and paragraphs that have a name (`^b1`).
pub fn all(text: &str) -> BTreeSet<String> {
    let blocks = text.split_whitespace().filter(|word| word.len() > 1 && word.starts_with('^'));
    let prose = lines(text).filter(|(_, is_code)| !is_code);
    let titles = prose.filter_map(|(line, _)| heading(line)).map(|(_, title)| slug(title));
    titles.chain(blocks.map(str::to_owned)).collect()
}

/// The place that a link names (`Rollback`, `deploy-steps`, `Guide#Deploy`, `^b1`) as [`all`] has it.
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
