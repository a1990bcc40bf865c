//! The headings that stand above a place of a text: what its section is called.
//!
//! Invariant: lines of code are no headings; a heading ends those of its level and below.

use super::topic::slug;
use std::collections::BTreeSet;

/// From the outermost on, without their signs.
pub fn above(text: &str, place: usize) -> Vec<String> {
    let (mut path, mut at, mut fenced): (Vec<(usize, String)>, usize, bool) = Default::default();
    for line in text.split_inclusive('\n') {
        if at >= place {
            break;
        }
        at += line.len();
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        }
        let level = trimmed.chars().take_while(|sign| *sign == '#').count();
        let title = trimmed[level..].trim();
        let is_heading = (1..=6).contains(&level) && trimmed[level..].starts_with([' ', '\t']);
        if !fenced && is_heading && !title.is_empty() {
            path.retain(|(other, _)| *other < level);
            path.push((level, title.to_owned()));
        }
    }
    path.into_iter().map(|(_, title)| title).collect()
}

/// What links may name in a text: its headings as slugs, and paragraphs that have a name (`^b1`).
pub fn all(text: &str) -> BTreeSet<String> {
    let title = |line: &str| {
        let line = line.trim();
        line.starts_with('#').then(|| slug(line.trim_start_matches('#')))
    };
    let blocks = text.split_whitespace().filter(|word| word.len() > 1 && word.starts_with('^'));
    text.lines().filter_map(title).chain(blocks.map(str::to_owned)).collect()
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
        assert!(has(text, "Rollback") && has(text, "guide#deploy") && !has(text, "Roll"));
        assert!(has("A line. ^b1\n", "^b1") && !has("b1", "^b1"));
    }
}
