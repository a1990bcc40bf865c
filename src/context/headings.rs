//! Removes headings with nothing below them, which are useless to an agent; all other lines stay.

/// The text without headings that have neither text nor a lower heading that has.
pub fn without_bare(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept = vec![true; lines.len()];
    let levels = levels(&lines);
    for at in (0..lines.len()).rev() {
        let Some(level) = levels[at] else { continue };
        let below =
            (at + 1..lines.len()).take_while(|next| levels[*next].is_none_or(|l| l > level));
        let says = below.into_iter().any(|next| kept[next] && !lines[next].trim().is_empty());
        kept[at] = says;
    }
    let lines: Vec<&str> =
        lines.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(line, _)| line).collect();
    lines.join("\n").trim().to_owned()
}

/// The heading level of each line; `None` for other lines and in code fences.
fn levels(lines: &[&str]) -> Vec<Option<usize>> {
    let mut fence: Option<&str> = None;
    let level = |line: &&str| {
        let text = line.trim_start();
        let opens = ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark));
        match (fence, opens) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        let marks = line.len() - line.trim_start_matches('#').len();
        let heading = (1..=6).contains(&marks)
            && line[marks..].chars().next().is_none_or(char::is_whitespace);
        (fence.is_none() && heading).then_some(marks)
    };
    lines.iter().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_something_stays() {
        assert_eq!(without_bare("# Personality\n\n# Overrides\n"), "");
        assert_eq!(
            without_bare("# User\n\n## Work\n\n- x\n\n## Home\n\n# Learned\n"),
            "# User\n\n## Work\n\n- x"
        );
        assert_eq!(without_bare("```\n# no heading\n```"), "```\n# no heading\n```");
        assert_eq!(without_bare("#tag and text"), "#tag and text");
    }
}
