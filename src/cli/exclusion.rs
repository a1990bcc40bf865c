//! `-word` in a question: what shall be left out, although it begins as an option does. Rewrites
//! the arguments before clap reads them.
//!
//! Invariant: what is typed before the first word of a question, and what can only be an option,
//! stays where it is; nothing is changed for a verb that asks nothing, or behind `--`.

use clap::{Arg, ArgAction, Command};
use std::ffi::{OsStr, OsString};

/// The verbs that take a question.
const ASKING: [&str; 3] = ["recall", "memory recall", "knowledge search"];

/// The same arguments, with an exclusion and the words behind it after a `--`.
pub(super) fn kept(
    arguments: Vec<OsString>,
    definition: impl FnOnce() -> Command,
) -> Vec<OsString> {
    // To build the whole definition takes longer than the rest.
    if !arguments.iter().skip(1).any(|argument| is_like_one(argument)) {
        return arguments;
    }
    let definition = definition();
    let (mut verb, mut name) = (&definition, String::new());
    let (mut before, mut asked) = (Vec::new(), Vec::new());
    let (mut has_words, mut is_value) = (false, true);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_str().unwrap_or_default();
        if std::mem::take(&mut is_value) {
            before.push(argument.clone());
        } else if text == "--" {
            break;
        } else if text.len() > 1 && text.starts_with('-') {
            let next = rest.as_slice().first().and_then(|next| next.to_str()).unwrap_or_default();
            if has_words && is_like_one(argument) && !is_option(verb, text, next) {
                asked.push(phrase_or_word(argument));
            } else {
                is_value = takes_next(verb, text);
                before.push(argument.clone());
            }
        } else if ASKING.contains(&name.as_str()) {
            has_words = true;
            let words = if asked.is_empty() { &mut before } else { &mut asked };
            words.push(argument.clone());
        } else {
            let Some(found) = verb.find_subcommand(text) else { return arguments };
            name = format!("{name} {}", found.get_name()).trim_start().to_owned();
            verb = found;
            before.push(argument.clone());
        }
    }
    if asked.is_empty() {
        return arguments;
    }
    let dashes = OsString::from("--");
    before.into_iter().chain([dashes]).chain(asked).chain(rest.cloned()).collect()
}

/// The quotes that a shell took from `-"a phrase"` are put back.
fn phrase_or_word(argument: &OsString) -> OsString {
    let words = argument.to_str().and_then(|text| text.strip_prefix('-'));
    let phrase = words.filter(|words| words.contains(' ') && !words.contains('"'));
    phrase.map_or_else(|| argument.clone(), |words| format!("-\"{words}\"").into())
}

/// One dash, and two letters or more, or a phrase in quotes.
fn is_like_one(argument: &OsStr) -> bool {
    let word = argument.to_str().and_then(|text| text.strip_prefix('-')).unwrap_or_default();
    word.starts_with(|first: char| first.is_alphanumeric() || first == '"')
        && word.chars().nth(1).is_some()
}

/// Whether a person can only have meant options: `-n5`, `-qn 5`, `-t=work`, `-C../notes`, `-qv`. A
/// word such as `-tabs` or `-qt` is none.
fn is_option(verb: &Command, text: &str, next: &str) -> bool {
    let is_number =
        |text: &str| !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit());
    let letters = &text[1..];
    for (at, letter) in letters.char_indices() {
        let Some(option) = of_letter(verb, letter) else { return false };
        if option.get_action().takes_values() {
            let value = &letters[at + letter.len_utf8()..];
            return match letter {
                'n' if value.is_empty() => is_number(next),
                'n' if is_number(value) => true,
                'C' if value.starts_with(['/', '.', '~']) => true,
                _ => value.starts_with('='),
            };
        }
        // Nobody asks for help in a cluster, but `-hq` is a word.
        if !matches!(option.get_action(), ArgAction::SetTrue) {
            return false;
        }
    }
    true
}

/// Whether the next argument is the value of this option.
fn takes_next(verb: &Command, text: &str) -> bool {
    if let Some(name) = text.strip_prefix("--") {
        let option = verb.get_arguments().find(|option| option.get_long() == Some(name));
        return option.is_some_and(|option| option.get_action().takes_values());
    }
    let letters: Vec<char> = text.chars().skip(1).collect();
    let takes = |letter: &char| {
        of_letter(verb, *letter).is_some_and(|option| option.get_action().takes_values())
    };
    // Behind the first that takes a value, the rest is its value.
    letters.iter().position(takes).is_some_and(|at| at + 1 == letters.len())
}

fn of_letter(verb: &Command, letter: char) -> Option<&Arg> {
    verb.get_arguments().find(|option| option.get_short() == Some(letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::commands::Cli;
    use clap::CommandFactory;

    fn definition() -> Command {
        let mut definition = Cli::command();
        definition.build();
        definition
    }

    fn rewritten(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        let kept = kept(words, definition);
        let kept: Vec<&str> = kept.iter().filter_map(|word| word.to_str()).collect();
        kept.join(" ")
    }

    #[test]
    fn what_is_to_be_left_out_is_no_option() {
        for (typed, read) in [
            ("co recall python -testing", "co recall python -- -testing"),
            ("co ask python -tabs -nested", "co ask python -- -tabs -nested"),
            ("co find boss -hiking a -Version b", "co find boss -- -hiking a -Version b"),
            ("co memory recall redis -sessions", "co memory recall redis -- -sessions"),
            ("co --json knowledge search a -tfoo", "co --json knowledge search a -- -tfoo"),
            ("co -C /x recall a -tb -n 5 c", "co -C /x recall a -n 5 -- -tb c"),
            ("co recall a -bc -- -de --f", "co recall a -- -bc -de --f"),
            ("co recall a -n5 -bc --tag t", "co recall a -n5 --tag t -- -bc"),
            ("co recall office -hq -qt -C++ -2fa", "co recall office -- -hq -qt -C++ -2fa"),
            ("co recall a -\"b\"", "co recall a -- -\"b\""),
        ] {
            assert_eq!(rewritten(typed), read, "{typed}");
        }
    }

    #[test]
    fn a_phrase_whose_quotes_the_shell_took_is_one() {
        let words = ["co", "recall", "cat", "-twice a day"].map(OsString::from).to_vec();
        let kept = kept(words, definition);
        assert_eq!(kept, ["co", "recall", "cat", "--", "-\"twice a day\""]);
    }

    #[test]
    fn what_can_only_be_an_option_is_one() {
        for line in [
            "co recall python -n 5 -t tag --limit 5 -v",
            "co recall -n5 python",
            "co recall python -n5",
            "co recall python -qn 5",
            "co recall python -qn5",
            "co recall python -t=tag",
            "co recall python -C/tmp",
            "co recall python -C../notes",
            "co recall python -h",
            "co recall python -V",
            "co recall -testing python",
            "co recall python -- -testing",
            "co recall --tag -testing python",
            "co learn python -testing",
            "co list -testing",
            "co nothing python -testing",
            "co -testing",
        ] {
            assert_eq!(rewritten(line), line);
        }
    }
}
