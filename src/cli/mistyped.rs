//! Suggestions for unknown commands, also for `co help`: words that other tools use for our verbs.
//!
//! Invariant: no tip names a verb that deletes. Words that mean exactly one verb are its aliases,
//! in `commands`; the others are here.

/// The next step for a word that is not a verb.
pub(super) fn tip(typed: &str) -> Option<&'static str> {
    let typed = typed.to_lowercase();
    TIPS.iter().find(|(words, _)| words.split(' ').any(|word| word == typed)).map(|(_, tip)| *tip)
}

/// The next step for an option that `learn` does not have.
pub(super) fn tip_for_learning(option: &str) -> Option<&'static str> {
    let option = option.split('=').next().unwrap_or(option);
    BY_ITSELF.contains(&option).then_some(
        "agents learn by themselves: `co review` goes through what they propose, and `co log` \
         lists what they saved",
    )
}

/// Options by which a person looks for learning without typing each fact.
const BY_ITSELF: &[&str] =
    &["--auto", "--auto-learn", "--automatic", "--ask", "--confirm", "--interactive", "--review"];

/// Words, with the tip for each.
const TIPS: &[(&str, &str)] = &[
    ("add new note", "`co learn TEXT` saves a fact, `co knowledge add FILE` a document"),
    ("amend", "`co edit N TEXT` changes a fact; `co undo` undoes the last change"),
    ("pending", "`co review` shows what agents would add, `co status` what is not synced"),
    ("read", "`co show N` prints one fact, `co knowledge show TOPIC` a document"),
    (
        "move mv",
        "`co identity move DIR` moves the identity, `co knowledge move OLD NEW` a document",
    ),
    (
        "adopt",
        "`co init PATH` makes a folder your identity, `co import PATH` imports facts from one; \
         `co skill adopt` adds the skills that your agents have",
    ),
    (
        "pull fetch",
        "`co sync` fetches, merges, and pushes; `co diff origin` only shows the changes",
    ),
    (
        "rm remove delete del erase",
        "`co help forget` explains how to forget a fact; `co undo` undoes a change",
    ),
    (
        "reset revert rollback restore-all",
        "`co undo` undoes the last change; `co log` lists them all",
    ),
    (
        "update self-update",
        "`co sync` brings what other laptops learned; `co upgrade` says how to update co itself",
    ),
    ("commit stage stash rebase merge apply", "`co sync` commits, merges and pushes in one step"),
    ("whoami me name", "`co profile` shows your profile, `co profile set KEY VALUE` changes it"),
    ("personality traits", "`co context` shows what agents read about you"),
    (
        "tags tag label labels",
        "`co list --tag TAG` lists facts with a tag; `co edit N --add-tag TAG` adds one to a fact",
    ),
    (
        "connect link hook-up claude claude-code codex cursor gemini opencode",
        "`co agent install --all` connects the agents that are installed here",
    ),
    (
        "install setup-agents",
        "`co agent install --all` connects agents; `co init` creates your identity",
    ),
    (
        "uninstall disconnect unlink",
        "`co help agent uninstall` explains how to remove co from an agent's files",
    ),
    ("login auth signin logout", "co has no account: it uses git's login; `co doctor` checks it"),
    (
        "password token key keys credential credentials env",
        "`co secret set NAME` keeps a value in the keyring",
    ),
    (
        "get set",
        "`co config set KEY VALUE` for settings, `co config get KEY` reads one; `co profile set \
         KEY VALUE` for your profile; `co secret set NAME` for secrets",
    ),
    (
        "unset",
        "`co config unset KEY` gives a setting its default again; `co help profile` explains how \
         to remove a field of your profile",
    ),
    (
        "serve server start daemon run",
        "agents start `co mcp` themselves; `co agent install --all` connects them",
    ),
    (
        "docs documents document articles doc",
        "`co knowledge list` lists your documents; `co help` lists the topics of co's own help",
    ),
    ("notes", "`co agent notes` shows those that agents keep, `co list` your facts"),
    (
        "clean gc prune reindex rebuild",
        "`co check --fix` fixes files; `co knowledge reindex` rebuilds the search index",
    ),
    (
        "fix repair",
        "`co check --fix` fixes what can be fixed; `co doctor` finds what is wrong on this laptop; \
         `co seal repair` mends a sealed remote",
    ),
    ("backup dump archive", "`co export FILE.tar.gz` writes everything into one file"),
    (
        "branch checkout tag-release",
        "the identity is a git repository: `git -C \"$(co identity path)\"` works on it",
    ),
    ("cd path where open", "`co identity path` prints the folder"),
    (
        "share invite team layers",
        "`co layer add NAME URL` reads a team's repository beside yours; `co help layers` explains \
         sharing",
    ),
    (
        "work private",
        "`co layer add work --for ~/work --instead` keeps an identity for work apart; `co help \
         layers` explains it",
    ),
    (
        "profiles workspace workspaces account accounts",
        "`co profile` shows who you are; `co layer list` lists the identities \
         that are read beside yours, or instead",
    ),
    (
        "stats stat usage count",
        "`co status` counts what you have; `co context --explain` what agents read",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::commands::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    #[test]
    fn each_word_has_one_meaning_and_no_tip_names_a_verb_that_deletes() {
        let mut definition = Cli::command();
        definition.build();
        let verbs = definition.get_subcommands().flat_map(|verb| {
            std::iter::once(verb.get_name()).chain(verb.get_all_aliases()).collect::<Vec<_>>()
        });
        let mut known: BTreeSet<&str> = verbs.collect();
        for (words, tip) in TIPS {
            for word in words.split(' ') {
                assert!(known.insert(word), "{word} is there twice");
            }
            for command in tip.split('`').skip(1).step_by(2) {
                let words = command.split(' ').filter(|word| !word.is_empty());
                let parsed = Cli::command().try_get_matches_from(words);
                assert!(parsed.is_ok() || command.starts_with("git "), "{command}");
            }
            for deleting in ["`co forget", " rm", "`co knowledge delete", "`co agent uninstall"] {
                assert!(!tip.contains(deleting), "{tip}");
            }
        }
    }

    /// Without a tip, the answer to a verb of a group names the group: a tip must not hide it.
    #[test]
    fn a_word_that_is_a_verb_of_a_group_is_named_with_its_group() {
        let mut definition = Cli::command();
        definition.build();
        let mut looked = 0;
        for group in definition.get_subcommands() {
            for verb in group.get_subcommands().filter(|verb| !verb.is_hide_set()) {
                let word = verb.get_name();
                let deletes = ["delete", "remove", "rm", "uninstall"].contains(&word);
                let Some(tip) = tip(word).filter(|_| !deletes && word != "help") else { continue };
                let mut commands = tip.split('`').skip(1).step_by(2);
                let is_named = commands.any(|command| command.split(' ').nth(2) == Some(word));
                assert!(is_named, "{} {word}: {tip}", group.get_name());
                looked += 1;
            }
        }
        assert!(looked > 10, "{looked} verbs have a tip");
    }
}
