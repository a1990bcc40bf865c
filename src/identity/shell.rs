//! Text for shells: quoting, and co's marked block in another program's script.
//!
//! Invariant: removing what was inserted gives the same bytes as before.

const OPEN: &str = "# >>> co identity >>>";
const CLOSE: &str = "# <<< co identity <<<";
/// Marks that co also added the line ending before the block.
const ADDED: &str = "# (co added the line end before this block)";

pub fn has_block(text: &str) -> bool {
    text.lines().any(|line| line == OPEN)
}

pub fn block_of(script: &str) -> &str {
    let start = script.find(OPEN).unwrap_or(0);
    let end = script.find(CLOSE).map_or(script.len(), |at| at + CLOSE.len());
    &script[start..end]
}

/// Whether our block can go into the script: its `#!` names a shell, or it has none.
pub fn is_shell(text: &str) -> bool {
    let Some(first) = text.lines().next().and_then(|line| line.strip_prefix("#!")) else {
        return true;
    };
    let name = first
        .split_whitespace()
        .flat_map(|part| part.rsplit('/').next())
        .rfind(|word| !word.starts_with('-'))
        .unwrap_or_default();
    matches!(name, "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash")
}

/// Inserts after the `#!` line, so that no later `exit` or `exec` skips it; replaces an old block.
pub fn with_block(text: &str, block: &str) -> String {
    let bare = without_block(text);
    let head =
        if bare.starts_with("#!") { bare.find('\n').map_or(bare.len(), |at| at + 1) } else { 0 };
    let (first, rest) = bare.split_at(head);
    if !first.is_empty() && !first.ends_with('\n') {
        return format!("{first}\n{ADDED}\n{block}\n{rest}");
    }
    format!("{first}{block}\n{rest}")
}

pub fn without_block(text: &str) -> String {
    let (Some(start), Some(end)) = (text.find(OPEN), text.find(CLOSE)) else {
        return text.to_owned();
    };
    let end = end + CLOSE.len();
    let tail = text[end..].strip_prefix('\n').unwrap_or(&text[end..]);
    let added = format!("\n{ADDED}\n");
    let head = text[..start].strip_suffix(&added).unwrap_or(&text[..start]);
    format!("{head}{tail}")
}

pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let block = format!("{OPEN}\nco hook\n{CLOSE}");
        for text in [
            "#!/bin/sh\nexit 0\n",
            "#!/bin/sh",
            "#!/usr/bin/env bash\nset -e\nexec other \"$@\"",
            "echo husky\n",
            "",
            "#!/bin/sh\n",
        ] {
            let with = with_block(text, &block);
            assert!(has_block(&with) && is_shell(&with), "{with}");
            assert_eq!(without_block(&with), text);
            assert_eq!(with_block(&with, &block), with, "twice is once");
            let first_own = with.lines().position(|line| line == "co hook");
            assert!(
                first_own
                    < with
                        .lines()
                        .position(|line| line.starts_with("exit") || line.starts_with("exec"))
                    || !text.contains("ex"),
                "{with}"
            );
        }
        assert!(
            !is_shell("#!/usr/bin/env python3\n")
                && is_shell("#!/bin/bash -e\n")
                && is_shell("#!/usr/bin/env -S sh -e\n")
        );
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
