//! The headings that stand above a place of a text: what its section is called.
//!
//! Invariant: lines of code are no headings; a heading ends those of its level and below.

use super::topic::slug;

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

/// Whether a text has a heading that a link names (`Rollback`, `deploy-steps`, `Guide#Deploy`), or a
/// paragraph with that name (`^b1`).
pub fn has(text: &str, named: &str) -> bool {
    if let Some(block) = named.strip_prefix('^') {
        return text.split_whitespace().any(|word| word.strip_prefix('^') == Some(block));
    }
    let wanted = slug(named.rsplit('#').next().unwrap_or(named));
    let title = |line: &str| {
        let line = line.trim();
        line.starts_with('#').then(|| slug(line.trim_start_matches('#')))
    };
    text.lines().filter_map(title).any(|title| title == wanted)
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
        assert!(has(text, "Rollback") && has(text, "guide#deploy") && !has(text, "Roll"));
        assert!(has("A line. ^b1\n", "^b1") && !has("b1", "^b1"));
    }
}
